import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'
import { jobStatusSchema } from './jobs.ts'
import {
  NETWORK_CSV_MAX,
  NETWORK_CURVES_MAX,
  NETWORK_FILES_MAX,
  NETWORK_HOURS_MAX,
  NETWORK_NAME_MAX,
  NETWORK_RAIN_MAX,
  NETWORK_VERSIONS_MAX,
} from './networks-constants.ts'
import { instantSchema } from './radar.ts'

export * from './networks-constants.ts'

export const networkNameSchema = z
  .string()
  .trim()
  .min(1, 'Donnez un nom.')
  .max(NETWORK_NAME_MAX, `Le nom ne peut dépasser ${NETWORK_NAME_MAX} caractères.`)

/** `EPSG:` and a code. */
export const networkCrsSchema = z
  .string()
  .trim()
  .regex(/^EPSG:\d{4,6}$/i, 'Écrivez EPSG: et un code, comme EPSG:2154.')
  .transform((text) => text.toUpperCase())

/** A file of a network as it was given. */
export const networkVersionSchema = z.object({
  version: z.int().positive(),
  /** The .inp. */
  file: shortText(),
  files: z.array(z.object({ name: shortText(), bytes: z.int().nonnegative() })).max(NETWORK_FILES_MAX),
  bytes: z.int().nonnegative(),
  createdAt: z.iso.datetime(),
  nodes: z.int().nonnegative(),
  links: z.int().nonnegative(),
  subcatchments: z.int().nonnegative(),
  warnings: z.int().nonnegative(),
})
export type NetworkVersion = z.infer<typeof networkVersionSchema>

/** `GET /api/networks`, the last changed first. */
export const networkSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  owner: shortText(),
  /** System that positions are in, as the owner says; null while they are of no known plane. */
  crs: shortText().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Runs of all versions. */
  runs: z.int().nonnegative(),
  newest: networkVersionSchema,
})
export type Network = z.infer<typeof networkSchema>

/** `GET /api/networks/:id` */
export const networkDetailSchema = networkSchema.extend({
  /** The newest first. */
  versions: z.array(networkVersionSchema).max(NETWORK_VERSIONS_MAX),
})
export type NetworkDetail = z.infer<typeof networkDetailSchema>

/** Answer to an upload. */
export const networkUploadedSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  version: z.int().positive(),
  /** False where the same files were the newest version already. */
  isNew: z.boolean(),
  /** What the reader warned of, in French. */
  warnings: list(longText()),
})
export type NetworkUploaded = z.infer<typeof networkUploadedSchema>

const point = z.tuple([z.number(), z.number()])

export const networkNodeKinds = ['junction', 'outfall', 'storage'] as const
export const networkLinkKinds = ['conduit', 'pump', 'orifice', 'weir', 'outlet'] as const

/** `GET /api/networks/:id/versions/:version/model`: what a file says, in SI. */
export const networkModelSchema = z.object({
  title: list(shortText()),
  file: shortText(),
  units: z.object({ flow: shortText(), length: shortText() }),
  /** The file's clock taken as UTC. */
  startAt: instantSchema,
  durationS: z.number(),
  reportStepS: z.number(),
  routing: shortText(),
  /** `degrees`: positions are longitudes and latitudes; `file`: the file's own plane; `layout`: computed, it has none. */
  placed: z.enum(['degrees', 'file', 'layout']),
  /** Nodes without a position among others that have one, placed beside their neighbours. */
  guessed: list(shortText()),
  nodes: list(
    z.object({
      name: shortText(),
      kind: z.enum(networkNodeKinds),
      at: point,
      invertM: z.number(),
      /** Rim above the invert, m. */
      depthM: z.number(),
    }),
  ),
  links: list(
    z.object({
      name: shortText(),
      kind: z.enum(networkLinkKinds),
      /** Places among the nodes. */
      from: z.int().nonnegative(),
      to: z.int().nonnegative(),
      bends: list(point),
      /** Of conduits, else 0. */
      lengthM: z.number(),
      shape: shortText(),
      /** Height of the section, m. */
      heightM: z.number(),
    }),
  ),
  subcatchments: list(
    z.object({
      name: shortText(),
      areaM2: z.number(),
      imperviousShare: z.number(),
      /** Node or subcatchment that its water goes to; null for none. */
      outlet: shortText().nullable(),
      gage: shortText().nullable(),
      measures: z.int().nonnegative(),
      ring: list(point),
    }),
  ),
  gages: list(shortText()),
  /** Nodes from which no way leads to an outfall. */
  cutOff: list(shortText()),
  warnings: list(z.object({ line: z.int().positive().nullable(), text: longText() })),
})
export type NetworkModel = z.infer<typeof networkModelSchema>

/** Rain of a run. */
export const networkRainSchema = z.discriminatedUnion('kind', [
  /** What the file has. */
  z.object({ kind: z.literal('own') }),
  /** The pipes alone, with the inflows of the file. */
  z.object({ kind: z.literal('none') }),
  /** A CSV of rain or inflows, as `radx sewer --batch` takes it. */
  z.object({
    kind: z.literal('csv'),
    name: z.string().min(1).max(200),
    text: z.string().min(1, 'Le fichier est vide.').max(NETWORK_CSV_MAX, 'Le fichier dépasse 1 Mo.'),
  }),
  /** Rates on all gages from the start of the simulation, mm/h, each for `stepS`. */
  z.object({
    kind: z.literal('series'),
    name: z.string().trim().min(1).max(200),
    stepS: z.number().min(1).max(86_400),
    mmH: z.array(z.number().min(0).max(1_000)).min(1).max(NETWORK_RAIN_MAX),
  }),
  /**
   * Radar rain from the start of the simulation: on each subcatchment where it lies, as it moved between images, or its mean
   * over a catchment of the site.
   */
  z.object({
    kind: z.literal('radar'),
    product: z.string().min(1).max(64),
    /** Where it is not given, the network's positions must be of a known system. */
    catchment: z.string().min(1).max(64).optional(),
    start: instantSchema,
    end: instantSchema,
  }),
])
export type NetworkRain = z.infer<typeof networkRainSchema>

/** `POST /api/networks/:id/runs` */
export const networkRunBodySchema = z.object({
  version: z.int().positive(),
  rain: networkRainSchema,
  /** The implicit scheme instead of EPA SWMM's own. */
  implicit: z.boolean().default(false),
  /** Time that is simulated; the file's without. */
  hours: z.number().min(0.01).max(NETWORK_HOURS_MAX).optional(),
})
export type NetworkRunBody = z.input<typeof networkRunBodySchema>

/** What a finished run comes to; volumes in m3. */
export const networkRunResultSchema = z.object({
  simulatedS: z.number(),
  wallSeconds: z.number(),
  steps: z.number(),
  /** Depth over all subcatchments, mm; null without any. */
  rainMm: z.number().nullable(),
  runoffM3: z.number().nullable(),
  /** In the network at the start; absent from runs of before it was kept, as `lossM3` and `driftM3`. */
  initialM3: z.number().optional(),
  inflowM3: z.number(),
  outfallM3: z.number(),
  floodedM3: z.number(),
  /** Seepage and evaporation. */
  lossM3: z.number().optional(),
  /** What the balance carries; below 0 where the explicit scheme let out more than came in. */
  storedM3: z.number(),
  /** What the heads at the end stand for less `storedM3`: EPA SWMM's continuity error. 0 for the implicit scheme. */
  driftM3: z.number().optional(),
  relativeError: z.number(),
  floodedNodes: z.int().nonnegative(),
  surchargedLinks: z.int().nonnegative(),
  /** Between the times that curves have, s, and how many there are. */
  stepS: z.number(),
  periods: z.int().nonnegative(),
  warnings: list(longText()),
})
export type NetworkRunResult = z.infer<typeof networkRunResultSchema>

/** A run of a network. */
export const networkRunSchema = z.object({
  id: z.uuid(),
  networkId: z.uuid(),
  version: z.int().positive(),
  username: shortText(),
  /** Kind and name of its rain. */
  rain: z.object({ kind: shortText(), name: shortText() }),
  implicit: z.boolean(),
  status: jobStatusSchema,
  cancelled: z.boolean(),
  error: longText().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  result: networkRunResultSchema.nullable(),
})
export type NetworkRun = z.infer<typeof networkRunSchema>

const figures = list(z.number())

/** `GET /api/networks/runs/:jobId/peaks`: figures in the order of names, SI. */
export const networkPeaksSchema = z.object({
  nodes: z.object({
    names: list(shortText()),
    maxDepthM: figures,
    maxHeadM: figures,
    timeS: figures,
    maxInflowM3S: figures,
    floodedM3: figures,
  }),
  links: z.object({
    names: list(shortText()),
    maxFlowM3S: figures,
    timeS: figures,
    maxVelocityMS: figures,
    /** Largest depth over full depth. */
    fill: figures,
    volumeM3: figures,
    surchargedS: figures,
  }),
  subcatchments: z.object({
    names: list(shortText()),
    rainMm: figures,
    infiltrationMm: figures,
    runoffMm: figures,
    /** By the rate at each step's end, as EPA SWMM sums it; missing in runs of before. */
    ratedMm: figures.optional(),
    peakM3S: figures,
  }),
})
export type NetworkPeaks = z.infer<typeof networkPeaksSchema>

/** `GET /api/networks/runs/:jobId/curves`: values at the ends of periods, SI. */
export const networkCurvesSchema = z.object({
  timesS: figures,
  curves: z.array(z.object({ name: shortText(), values: figures })).max(NETWORK_CURVES_MAX),
})
export type NetworkCurves = z.infer<typeof networkCurvesSchema>

/** A largest flow or depth beside another result's, in the network's own units. */
const comparedSchema = z.object({
  name: shortText(),
  kind: shortText(),
  theirs: z.number(),
  ours: z.number(),
  /** Of theirs, %; null where they have none. */
  difference: z.number().nullable(),
  /** The other program says itself that it could not balance it. */
  doubtful: z.boolean(),
})
const comparedTableSchema = z.object({
  unit: shortText(),
  /** That both have. */
  common: z.int().nonnegative(),
  /** Above 2 % of the largest: those that count. */
  ranked: z.int().nonnegative(),
  medianPercent: z.number(),
  p95Percent: z.number(),
  /** Those that count, the largest difference first. */
  rows: list(comparedSchema),
})
/** `GET` and `POST /api/networks/runs/:jobId/compare` */
export const networkComparisonSchema = z.object({
  name: shortText(),
  /** Theirs are values at reporting times alone. */
  sampled: z.boolean(),
  doubts: list(longText()),
  links: comparedTableSchema,
  nodes: comparedTableSchema,
  /** Of subcatchments: largest runoff, and its depth over the run. */
  runoffPeaks: comparedTableSchema,
  runoffDepths: comparedTableSchema,
})
export type NetworkComparison = z.infer<typeof networkComparisonSchema>

/** `GET /api/networks/runs/:jobId/files` */
export const networkFileSchema = z.object({ name: shortText(), bytes: z.int().nonnegative() })
export type NetworkFile = z.infer<typeof networkFileSchema>
