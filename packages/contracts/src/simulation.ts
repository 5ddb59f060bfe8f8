import { z } from 'zod'
import { gridText, list, longText, shortText } from './bounds.ts'
import { usedParametersSchema } from './calibration.ts'
import { gridPlaceSchema } from './flood.ts'
import { jobStatusSchema } from './jobs.ts'
import { measureSchema } from './measures.ts'
import { gaugeRainRefSchema, ownRainRefSchema } from './own-rains.ts'
import { instantSchema, rainMethodSchema } from './radar.ts'
import {
  ENSEMBLE_LIMITS,
  EQUATIONS,
  MOST_MOVE_M,
  MOST_SHIFT_MIN,
  OUTPUT_FLOW,
  OUTPUT_HEIGHT,
  OUTPUT_MAX_DEPTH,
  SOIL_CHOICES,
  SOIL_STATES,
} from './simulation-constants.ts'

export * from './simulation-constants.ts'

export const rainfallSelectionSchema = z.enum(['radar', 'virtual', 'ev7'])
export type RainfallSelection = z.infer<typeof rainfallSelectionSchema>
/** Triangles as typed, storms of a law of return periods, and a hyetogram of one's own (its minutes are its data). */
export const virtualShapeSchema = z.enum(['simple', 'double', 'chicago', 'uniform', 'series'])
export type VirtualShape = z.infer<typeof virtualShapeSchema>

/** Minutes and mm/h; 0 in any of them gives no curve. */
export const simpleTriangleSchema = z.object({
  d: z.number(),
  t: z.number(),
  iMax: z.number(),
  calmAfter: z.number(),
})
export const doubleTriangleSchema = z.object({
  t1: z.number(),
  t2: z.number(),
  t3: z.number(),
  iMax: z.number(),
  i2: z.number(),
  calmAfter: z.number(),
})
/** Chicago storm of i = a t^-b mm/min: `peak` is a share of `duration`, `iMax` the mean of the strongest block. */
export const chicagoStormSchema = z.object({
  a: z.number(),
  b: z.number(),
  duration: z.number(),
  step: z.number(),
  peak: z.number(),
  iMax: z.number(),
  calmAfter: z.number(),
})
/** One intensity over the whole duration. */
export const uniformStormSchema = z.object({ duration: z.number(), iMax: z.number(), calmAfter: z.number() })
/** What a hyetogram of one's own was before it became minutes. */
export const ownSeriesSchema = z.object({ step: z.number(), iMax: z.number(), calmAfter: z.number() })
export type ChicagoStorm = z.infer<typeof chicagoStormSchema>
export type UniformStorm = z.infer<typeof uniformStormSchema>
export type OwnSeries = z.infer<typeof ownSeriesSchema>
export type SimpleTriangle = z.infer<typeof simpleTriangleSchema>
export type DoubleTriangle = z.infer<typeof doubleTriangleSchema>
/** Parameters of each shape of virtual rain. */
export const virtualParamSchemas = {
  simple: simpleTriangleSchema,
  double: doubleTriangleSchema,
  chicago: chicagoStormSchema,
  uniform: uniformStormSchema,
  series: ownSeriesSchema,
} as const satisfies Record<VirtualShape, z.ZodType>
export interface VirtualParams {
  simple: SimpleTriangle
  double: DoubleTriangle
  chicago: ChicagoStorm
  uniform: UniformStorm
  series: OwnSeries
}
export const DEFAULT_SIMPLE_TRIANGLE: SimpleTriangle = { d: 10, t: 3, iMax: 10, calmAfter: 20 }
export const DEFAULT_DOUBLE_TRIANGLE: DoubleTriangle = {
  t1: 30,
  t2: 100,
  t3: 240,
  iMax: 10,
  i2: 2,
  calmAfter: 20,
}

/** Past rain moved over a catchment: rain that fell at x falls at x + (eastM, northM), later and stronger. */
export const transpositionSchema = z.object({
  eastM: z.number().min(-MOST_MOVE_M).max(MOST_MOVE_M),
  northM: z.number().min(-MOST_MOVE_M).max(MOST_MOVE_M),
  shiftMinutes: z.number().min(-MOST_SHIFT_MIN).max(MOST_SHIFT_MIN),
  factor: z.number().min(0.1).max(10),
})
export type Transposition = z.infer<typeof transpositionSchema>

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max)

/** An ensemble of the same rain taken down to streets by a cascade of these parameters; member k has `seed + k`. */
export const ensembleSchema = z.object({
  members: z.int().min(ENSEMBLE_LIMITS.members.min).max(ENSEMBLE_LIMITS.members.max),
  alpha: within(ENSEMBLE_LIMITS.alpha).refine(
    (alpha) => Math.abs(alpha - 1) >= ENSEMBLE_LIMITS.alphaFromOne,
    'alpha',
  ),
  c1: within(ENSEMBLE_LIMITS.c1),
  seed: z.int().min(ENSEMBLE_LIMITS.seed.min).max(ENSEMBLE_LIMITS.seed.max),
})
export type Ensemble = z.infer<typeof ensembleSchema>

/** How wet the soil was before the rain, by choice or by what fell in the five days before. */
export const soilBeforeSchema = z.object({
  choice: z.enum(SOIL_CHOICES),
  state: z.enum(SOIL_STATES),
  /** Mean depth of those days over the catchment, mm, and the share of them that the archive knows. */
  depthMm: z.number().nullable(),
  knownShare: z.number().nullable(),
  /** When those days end; null where the archive was not asked. */
  end: instantSchema.nullable(),
  /** How the rain of those days was taken between frames. Runs of before do not have it. */
  method: rainMethodSchema.optional(),
})
export type SoilBefore = z.infer<typeof soilBeforeSchema>

/** A land-use class as the form and a run carry it. */
export const luseConfigSchema = z.object({
  id: shortText(),
  code: z.int(),
  title: shortText(),
  color: shortText(),
  /** Soil: saturated conductivity m/s, suction head m, moisture deficit m3/m3. */
  kh: z.number(),
  capsh: z.number(),
  soilmd: z.number(),
  /** Land: Manning's n s/m^(1/3), interception mm. */
  nmanningov: z.number(),
  interceptionclass: z.number(),
  desc: longText(),
  descFull: longText(),
  isSelected: z.boolean(),
  /** Ground or roof that holds water; its soil counts for nothing then. Land uses of before have none. */
  measure: measureSchema.optional(),
})
export type LuseConfig = z.infer<typeof luseConfigSchema>

/** A painted cell: row i from the north, column j from the west, new code. */
export const luseUpdateSchema = z.object({ i: z.int(), j: z.int(), value: z.int() })
export type LuseUpdate = z.infer<typeof luseUpdateSchema>

/** Multipart keys that `POST /api/job/multihydro` must have, all of them. */
export const SIMULATION_FORM_KEYS = [
  'title',
  'catchmentId',
  'catchmentDisplay',
  'caseStudyId',
  'barrier',
  'barrierHeight',
  'bassin',
  'bassinDepth',
  'greenRoof',
  'soilModule',
  'drainageModule',
  'luseId',
  'luseIdSource',
  'luseDesc',
  'rainfallSelection',
  'rainfallStart',
  'rainfallEnd',
  'simulationDuration',
  'virtualRainShape',
  'luseUpdates',
  'luseConfigs',
  'virtualParam',
  'virtualData',
] as const
export type SimulationFormKey = (typeof SIMULATION_FORM_KEYS)[number]

const flag = z.enum(['true', 'false'])

/** What one tries on a network from a forecast's state: a pump's speed (0 off), a gate's opening, or a pipe, 0 shut and 1 open. */
export const liveSettingSchema = z.object({ name: shortText(), setting: z.number().min(0).max(2) })
export type LiveSetting = z.infer<typeof liveSettingSchema>

/** Where a run that begins with the water of a flood forecast comes from: the image, and the jobs that left state and rain. */
export const liveBeginSchema = z.object({
  issued: instantSchema,
  stateJob: z.uuid(),
  rainJob: z.uuid(),
  settings: list(liveSettingSchema),
})
export type LiveBegin = z.infer<typeof liveBeginSchema>

/** What a simulation was started with. Flags are the strings 'true' and 'false', as the form sends them. */
export const simulationInputSchema = z.object({
  title: shortText(),
  catchmentId: shortText(),
  catchmentDisplay: shortText(),
  /** Empty without a case study. */
  caseStudyId: shortText(),
  barrier: flag,
  /** m */ barrierHeight: shortText(),
  bassin: flag,
  /** m */ bassinDepth: shortText(),
  greenRoof: flag,
  soilModule: flag,
  drainageModule: flag,
  /** Land-use file of the run. */
  luseId: shortText(),
  /** File that it was painted from; the same when nothing was painted. */
  luseIdSource: shortText(),
  luseDesc: longText(),
  rainfallSelection: rainfallSelectionSchema,
  rainfallStart: instantSchema,
  rainfallEnd: instantSchema,
  /** h */ simulationDuration: z.number(),
  virtualRainShape: virtualShapeSchema.nullable(),
  /** The richest first: a schema passes whatever has its keys. */
  virtualParam: z
    .union([
      chicagoStormSchema,
      doubleTriangleSchema,
      simpleTriangleSchema,
      uniformStormSchema,
      ownSeriesSchema,
    ])
    .nullable(),
  /** Where a virtual rain comes from, in French: table and period, or the name of a file. */
  virtualSource: shortText().optional(),
  /** mm/h, one value a minute, the 15 leading zeros included. */
  virtualData: list(z.number()),
  /** Virtual rain that a gauge measured, whose minutes are `virtualData`. */
  gaugeRain: gaugeRainRefSchema.optional(),
  /** Radar rain of pictures of one's own, not of the archive. */
  ownRain: ownRainRefSchema.optional(),
  /** Radar product of the rain; null for virtual rain and for pictures of one's own. */
  product: shortText().nullable(),
  /** Radar rain as it fell without one. */
  transposition: transpositionSchema.optional(),
  /** Radar rain once, as it was measured, without one. */
  ensemble: ensembleSchema.optional(),
  /** The soil of the land-use table without one. */
  soilBefore: soilBeforeSchema.optional(),
  /** Local inertia without one: runs of before. */
  equations: z.enum(EQUATIONS).optional(),
  /** Fitted values in place of the table's; runs without one, and of before, have none. */
  parameterSet: usedParametersSchema.optional(),
  /** A run that begins with a forecast's state and follows its rain; others begin at rest. */
  live: liveBeginSchema.optional(),
  luseUpdates: list(luseUpdateSchema),
  luseConfigs: list(luseConfigSchema),
})
export type SimulationInput = z.infer<typeof simulationInputSchema>

/** A run in the list: `GET /api/jobs/multihydro`. Painted cells stay with the detail. */
export const simulationListItemSchema = z.object({
  _id: z.uuid(),
  id: z.uuid(),
  username: shortText(),
  date: instantSchema,
  status: jobStatusSchema,
  error: longText().nullable(),
  /** Computation time, ms. */ delay: z.number().nullable(),
  input: simulationInputSchema.omit({ luseUpdates: true, luseConfigs: true }),
  /** Area mean of the rain, mm/h, thinned to at most 60 values; empty while unknown. */
  rainSparkline: list(z.number()),
  /** Why the rain is not told, French; null when it is. */
  rainWithheld: shortText().nullable(),
  cancelled: z.boolean(),
  /** Place among the runs that wait, 1 for the next one; null once it waits no longer. */
  queuePlace: z.int().nullable(),
  /** It was made on a version of the catchment that has been replaced since. */
  outdated: z.boolean(),
})
export type SimulationListItem = z.infer<typeof simulationListItemSchema>

export const simulationCreatedSchema = z.object({ jobId: z.uuid(), id: z.uuid() })

/** A land-use file: `GET /api/multihydro/files` and `/file/{luseId}`. */
export const luseFileSchema = z.object({
  _id: z.uuid(),
  username: shortText(),
  creationDate: instantSchema,
  /** Empty without a description. */
  desc: longText(),
  /** JPEG, base64 without a prefix. */
  base64Image: gridText(),
  sizeKo: z.number(),
  filename: z.literal('luse.asc'),
  /** Short-lived signed token for a plain download link. */
  token: shortText(),
  catchmentId: shortText(),
  /** It has the grid of a version of the catchment that has been replaced since: it can be read, not run on. */
  outdated: z.boolean(),
})
export type LuseFile = z.infer<typeof luseFileSchema>

/** `dataJson`: grids as rows, row 0 north; -9999 is empty. `codes` only with allCodes=true. */
export const luseDataSchema = z.object({
  data: list(list(z.int())),
  elevation: list(list(z.number())).optional(),
  codes: list(luseConfigSchema).optional(),
  cellSizeM: z.number(),
})
export type LuseData = z.infer<typeof luseDataSchema>

/** JSON text of a grid of 0 and 1 in `data`. */
export const maskSchema = z.object({ data: gridText() })

/** Land use compared with the catchment's own: cells that went from one code to another. */
export const luseComparisonSchema = z.object({
  /** Square matrix: chords[from][to] is the number of cells, in the order of landCodes. */
  chords: list(list(z.int())),
  /** Cells of each code in the reference file, in the order of landCodes. */
  sourceOfLands: list(z.int()),
  landCodes: list(z.object({ code: z.int(), title: shortText(), color: shortText() })),
  cellSizeM: z.number(),
})
export type LuseComparison = z.infer<typeof luseComparisonSchema>

export const outputFileSchema = z.object({
  name: shortText(),
  /** Lines separated by `<br>`. */
  desc: longText(),
  sizeKo: z.number(),
  error: longText().nullable(),
})
export type OutputFile = z.infer<typeof outputFileSchema>

/** `GET /api/jobs/multihydro/similar/{jobId}`. */
export const comparableSimulationSchema = simulationListItemSchema.pick({
  _id: true,
  input: true,
  username: true,
  date: true,
})
export type ComparableSimulation = z.infer<typeof comparableSimulationSchema>

export const networkNodeSchema = z.object({
  name: shortText(),
  lon: z.number(),
  lat: z.number(),
  /** junction, outfall or storage */ kind: shortText(),
})
export const networkLinkSchema = z.object({
  Name: shortText(),
  From_Node: shortText(),
  To_Node: shortText(),
  /** m */ Length: z.number(),
  Roughness: z.number(),
  /** m */ InOffset: z.number(),
  /** m */ OutOffset: z.number(),
  /** m3/s */ InitFlow: z.number(),
  /** m3/s, 0 without a limit */ MaxFlow: z.number(),
  Shape: shortText(),
  /** m */ Geom1: z.number(),
  Barrels: z.number(),
  /** Mean flow of each interval, m3/s. */ data: list(z.number()),
  /** Largest size of the flow, m3/s, where peaks were asked for; null without a series. */ peak: z
    .number()
    .nullable()
    .optional(),
})
export const networkJunctionSchema = z.object({
  Name: shortText(),
  /** m */ Elevation: z.number(),
  /** m */ MaxDepth: z.number(),
  /** m */ InitDepth: z.number(),
  /** m */ SurDepth: z.number(),
  /** m2 */ Aponded: z.number(),
  /** Mean depth of each interval, m. */ data: list(z.number()),
  /** Largest depth, m, where peaks were asked for; null without a series. */ peak: z
    .number()
    .nullable()
    .optional(),
})
export type NetworkNode = z.infer<typeof networkNodeSchema>
export type NetworkLink = z.infer<typeof networkLinkSchema>
export type NetworkJunction = z.infer<typeof networkJunctionSchema>

/**
 * What `GET /api/multihydro/file/{jobId}/output` answers beyond its file: everything by default; with `series=peak`
 * every link or junction with its peak and without its series; with `names` (separated by tabs) only these, whole.
 */
export const outputPartSchema = z.object({
  series: z.enum(['all', 'peak']).default('all'),
  names: z.string().max(8_000).optional(),
})
export type OutputPart = z.infer<typeof outputPartSchema>

/** `GET /api/multihydro/file/{jobId}/output?outputType=`, by file. */
export const simulationOutputSchema = z.discriminatedUnion('outputType', [
  z.object({
    outputType: z.literal(OUTPUT_FLOW),
    intervalMinutes: z.number(),
    timesS: list(z.number()),
    links: list(networkLinkSchema),
  }),
  z.object({
    outputType: z.literal(OUTPUT_HEIGHT),
    intervalMinutes: z.number(),
    timesS: list(z.number()),
    junctions: list(networkJunctionSchema),
    /** Names of the nodes that gave water back to the surface; null where the run did not note it. */
    overflowing: list(shortText()).nullable(),
  }),
  z.object({
    outputType: z.literal(OUTPUT_MAX_DEPTH),
    cellSizeM: z.number(),
    place: gridPlaceSchema,
    /** m, rows from the north; null is outside the catchment. */
    data: list(list(z.number().nullable())),
  }),
])
export type SimulationOutput = z.infer<typeof simulationOutputSchema>

/** Water levels along a path: `GET /api/multihydro/file/nodepath`. */
export const nodePathSchema = z.object({
  nodes: list(networkJunctionSchema.omit({ data: true, peak: true })),
  links: list(networkLinkSchema.omit({ data: true, peak: true })),
  /** Every 10 minutes: time in s and the water depth in m at each node of the path. */
  data: list(
    z.object({
      timeS: z.number(),
      depths: list(z.number()),
      /** Speed in each link at the end of the interval, either way, m/s; only where the run kept it. */
      speeds: list(z.number()).optional(),
    }),
  ),
})
export type NodePath = z.infer<typeof nodePathSchema>

/** Water balance of a run, m3. */
export const waterBalanceSchema = z.object({
  rainM3: z.number(),
  interceptedM3: z.number(),
  infiltratedM3: z.number(),
  surfaceM3: z.number(),
  waterM3: z.number(),
  edgeOutM3: z.number(),
  sewerM3: z.number(),
  outfallM3: z.number(),
  /** Held by measures, more than at the start; out of them into the ground, into the air and through drains. Only of runs with measures. */
  measuresStoredM3: z.number().optional(),
  measuresInfiltratedM3: z.number().optional(),
  measuresEvaporatedM3: z.number().optional(),
  measuresDrainedM3: z.number().optional(),
  errorM3: z.number(),
  relativeError: z.number(),
})
export type WaterBalance = z.infer<typeof waterBalanceSchema>

/** Facts of a catchment for the form: `GET /api/multihydro/catchments` (ours). */
export const catchmentSummarySchema = z.object({
  id: shortText(),
  display: shortText(),
  cellSizeM: z.number(),
  ncols: z.int(),
  nrows: z.int(),
  activeCells: z.int(),
  synthetic: z.boolean(),
  statement: longText(),
  attribution: longText(),
  caseStudies: list(z.object({ id: shortText(), display: shortText() })),
  /** WGS84 corners, [lng, lat]. */
  corners: z.object({
    sw: z.tuple([z.number(), z.number()]),
    se: z.tuple([z.number(), z.number()]),
    ne: z.tuple([z.number(), z.number()]),
    nw: z.tuple([z.number(), z.number()]),
  }),
  /** Code whose cells are open water; null without. */
  permanentWaterCode: z.int().nullable(),
  /** Computation times of this machine's last runs here: ms a simulated hour, newest first. */
  recentMsPerHour: list(z.number()),
  /** Without any: by this one's cells and steps, from runs of its older versions, else of other catchments; null without those. */
  expectedMsPerHour: z.number().nullable(),
})
export type CatchmentSummary = z.infer<typeof catchmentSummarySchema>
