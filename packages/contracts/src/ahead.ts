import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { gridPlaceSchema } from './flood.ts'
import { instantSchema } from './radar.ts'
import { liveSettingSchema } from './simulation.ts'

/** Depths whose probability the flood forecast tells, mm. */
export const AHEAD_DEPTHS_MM = [50, 200, 500] as const
/** A probability from which something is as good as certain, and one from which it is likely; below it is possible. */
export const AHEAD_CERTAIN = 90
export const AHEAD_LIKELY = 50
/** A probability that is not told, outside the model. */
export const AHEAD_OUTSIDE = 255

const percent = () => z.int().min(0).max(100)

/** Where a cycle stands. `skipped` never starts; `failed` says why. */
export const cycleStatusSchema = z.enum(['state', 'members', 'gather', 'done', 'failed', 'skipped'])

/** Why there is no newer forecast. */
export const aheadWaitSchema = z.enum(['starting', 'first-frame', 'no-frame', 'no-nowcast', 'computing'])

const cycleHead = {
  /** The frame that it follows. */
  issued: instantSchema,
  status: cycleStatusSchema,
  reason: shortText().nullable(),
  /** Nothing fell for long and nothing is forecast: the town stays as it is. */
  dry: z.boolean(),
  finished: instantSchema.nullable(),
  /** From the frame to the end of the computation, s; null while it goes on. */
  delayS: z.number().nullable(),
  /** Frames since the cycle before that have none. */
  skipped: z.int(),
  /** Share of the rain since the cycle before that was not seen, 0 to 1. */
  missingShare: z.number().nullable(),
}

/** `GET /api/ahead`: catchments, which of them are forecast, and how far. */
export const aheadOverviewSchema = z.object({
  now: instantSchema,
  catchments: list(
    z.object({
      id: shortText(),
      display: shortText(),
      enabled: z.boolean(),
      /** Newest finished cycle, and one that is under way. */
      newest: z.object(cycleHead).nullable(),
      current: z.object(cycleHead).nullable(),
      /** The last one, when it failed. */
      failed: z.object(cycleHead).nullable(),
      wait: aheadWaitSchema.nullable(),
      /** Newest radar frame; null without any. */
      newestFrame: instantSchema.nullable(),
    }),
  ),
})
export type AheadOverview = z.infer<typeof aheadOverviewSchema>

/** `GET /api/ahead/{catchmentId}/cycles`: kept cycles, newest first. */
export const aheadCyclesSchema = z.object({ cycles: list(z.object(cycleHead)) })
export type AheadCycles = z.infer<typeof aheadCyclesSchema>

/** What a probability (%) is called. */
export const certaintyOf = (percent: number): 'certain' | 'likely' | 'possible' =>
  percent >= AHEAD_CERTAIN ? 'certain' : percent >= AHEAD_LIKELY ? 'likely' : 'possible'

/** Something to watch: a place, a pipe or a node, when it is in danger and how sure that is. */
export const watchSchema = z.object({
  kind: z.enum(['street', 'link', 'node']),
  /** Name in the network; of a street a number. */
  name: shortText(),
  /** Cell `row * ncols + col`; of a link and a node -1. */
  cell: z.int(),
  /** Where it is. */
  lat: z.number(),
  lng: z.number(),
  /** Of streets: cells that are in danger together, and the depth that they may pass, mm. */
  cells: z.int(),
  depthMm: z.int(),
  /** Of streets: what the land use says is there, in French, and the nearest node within 150 m. */
  ground: shortText().nullable(),
  near: shortText().nullable(),
  /** Largest probability, %. */
  percent: percent(),
  /** First moment at which it is at least half of that, minutes after the issue. */
  fromMin: z.number(),
  /** How bad: 3 over half a metre, 2 over 20 cm or water out of a node, 1 over 5 cm or a full pipe. */
  gravity: z.int().min(1).max(3),
})
export type Watch = z.infer<typeof watchSchema>

/** `GET /api/ahead/{catchmentId}/cycle`: what is forecast. */
export const aheadCycleSchema = z.object({
  ...cycleHead,
  catchment: z.object({ id: shortText(), display: shortText() }),
  place: gridPlaceSchema,
  /** Members beside the deterministic one. */
  members: z.int(),
  /** There are none because none of them brings rain to the town: they would all be the deterministic one. */
  alike: z.boolean(),
  /** Valid moments; none of a dry town. */
  times: list(instantSchema),
  /** Up to here rain is forecast; what follows drains. */
  rainUntil: instantSchema.nullable(),
  /** Share of the forecast rain over the catchment that comes from where nothing was seen, by moment, 0 to 1. */
  unknownShare: list(z.number()),
  /** Mean rain over the catchment by moment, mm/h: deterministic, and its 10, 50 and 90 % quantiles. */
  rainMmH: list(z.object({ value: z.number(), p10: z.number(), p50: z.number(), p90: z.number() })),
  /** How observed rain was taken between frames. */
  method: z.enum(['raw', 'moved']).nullable(),
  /** The gravest of what is worth watching, the first to come on top. */
  watch: list(watchSchema),
  /** How many there are of each kind in all, by how sure they are. */
  counts: list(
    z.object({ kind: watchSchema.shape.kind, certain: z.int(), likely: z.int(), possible: z.int() }),
  ),
  /** Elements in danger at some moment, with their probabilities by moment, %. */
  links: list(z.object({ name: shortText(), percent: list(percent()) })),
  nodes: list(z.object({ name: shortText(), percent: list(percent()) })),
  /** Share of the streets' cells (%) that are under more than each depth in half of the members, at worst. */
  worst: list(z.object({ depthMm: z.int(), cells: z.int(), percent: percent() })),
})
export type AheadCycle = z.infer<typeof aheadCycleSchema>

/** `GET /api/ahead/{catchmentId}/network`: where the sewer lies. Links name the places of their nodes in the list. */
export const aheadNetworkSchema = z.object({
  nodes: list(z.object({ name: shortText(), lat: z.number(), lng: z.number() })),
  links: list(
    z.object({
      name: shortText(),
      kind: z.enum(['conduit', 'pump', 'orifice', 'weir', 'outlet']),
      from: z.int(),
      to: z.int(),
    }),
  ),
})
export type AheadNetwork = z.infer<typeof aheadNetworkSchema>

/** `GET /api/ahead/{catchmentId}/fan`: how the members spread at one place. */
export const aheadFanSchema = z.object({
  kind: z.enum(['cell', 'link', 'node']),
  name: shortText(),
  /** mm of depth, m of water over a node's invert, share of a link's full depth. */
  unit: z.enum(['mm', 'm', 'share']),
  /** Over it there is danger: a street's depth, a node's rim, a full link; null where nothing says. */
  limit: z.number().nullable(),
  values: list(
    z.object({
      time: instantSchema,
      value: z.number(),
      p10: z.number(),
      p50: z.number(),
      p90: z.number(),
      /** Of being over a limit: of a cell over 20 cm, of a node of giving back, of a link of running full; %. */
      percent: percent(),
    }),
  ),
})
export type AheadFan = z.infer<typeof aheadFanSchema>

/** `GET /api/ahead/{catchmentId}/scores`: how good the forecasts of the last days were. */
export const aheadScoresSchema = z.object({
  leads: list(
    z.object({
      leadMin: z.int(),
      /** Forecasts that were held against what came. */
      cycles: z.int(),
      /** Brier skill of depth over 5 cm against persistence; null where nothing was wet. */
      brierSkill: z.number().nullable(),
      /** By tenths of probability: what was forecast, what came, how often. */
      reliability: list(z.object({ forecast: z.number(), observed: z.number(), count: z.number() })),
    }),
  ),
})
export type AheadScores = z.infer<typeof aheadScoresSchema>

/** Links that one what-if may set. */
export const WHAT_IF_MOST_SETTINGS = 20

/** `POST /api/job/what-if`: the course of a forecast with something changed from its image on, beside the same unchanged. */
export const whatIfBodySchema = z.object({
  catchmentId: z.string().min(1).max(64),
  /** The image of the forecast whose state it begins with: one that is still kept. */
  issued: instantSchema,
  /** One that names the change without. */
  title: z.string().trim().max(200).optional(),
  /** Another land use of the same catchment; null for its own. */
  luseId: z.uuid().nullable(),
  settings: z.array(liveSettingSchema).max(WHAT_IF_MOST_SETTINGS),
})
export type WhatIfBody = z.infer<typeof whatIfBodySchema>

/** Both are runs, and are compared as runs are. */
export const whatIfSchema = z.object({ changed: z.uuid(), unchanged: z.uuid() })
export type WhatIf = z.infer<typeof whatIfSchema>
