// Apart from the schemas, so that a page that needs a number does not load the validator.

/** Constants of the simulation screens (spec 2 §9). */
export const SIMULATIONS_PER_PAGE = 24
export const LAND_USE_FILES_PER_PAGE = 12
export const TABLE_PAGE_SIZE = 10
export const CASE_STUDIES = ['eogn', 'oxygene'] as const
/** Owner of the reference simulations: not renamable, notes read-only. */
export const DEFAULT_USER = 'default'
export const ESTIMATE_HOURS_PER_EVENT = 0.32
export const ESTIMATE_EVENT_HOURS = 7
/** Minutes between two rain values, and between two lines of the flow and height files. */
export const RAIN_INTERVAL_MINUTES = { ev7: 5, radar: 3.433, virtual: 1 } as const
export const VIRTUAL_START = '2019-12-31T23:00:00Z'
export const EV7 = {
  product: 'dpsri',
  start: '2018-01-15T23:00:00Z',
  end: '2018-01-16T05:50:00Z',
  durationHours: 6.9,
} as const
/** What soil and land properties may be, least and most: m/s, m, m3/m3, s/m^(1/3), mm. No ground is without friction. */
export const SOIL_LIMITS = {
  kh: [0, 0.01],
  capsh: [0, 5],
  soilmd: [0, 1],
  nmanningov: [0.005, 2],
  interceptionclass: [0, 100],
} as const satisfies Record<string, readonly [least: number, most: number]>
/** Longest virtual rain with its calm, min: a run takes seven days. */
export const VIRTUAL_MAX_MIN = 168 * 60
/** Radar rain is moved by 300 km at most, m. */
export const MOST_MOVE_M = 300_000
/** Moved rain is shifted in time by thirty years at most, min. */
export const MOST_SHIFT_MIN = 30 * 366 * 1440
/** When a run's rain begins, ms: moved rain begins when it was moved to. */
export const runStartMs = ({
  rainfallStart,
  transposition,
}: {
  rainfallStart: string
  transposition?: { shiftMinutes: number } | undefined
}): number => Date.parse(rainfallStart) + 60_000 * (transposition?.shiftMinutes ?? 0)

/** Wetness of the soil before the rain. */
export const SOIL_STATES = ['dry', 'mean', 'wet'] as const
export type SoilState = (typeof SOIL_STATES)[number]
/** Chosen, or found from the rain of the days before. */
export const SOIL_CHOICES = [...SOIL_STATES, 'archive'] as const
export type SoilChoice = (typeof SOIL_CHOICES)[number]
/** Equations of the surface: local inertia, the full ones in first or second order, or what Froude numbers ask for. */
export const EQUATIONS = ['auto', 'inertial', 'full-1', 'full-2'] as const
export type Equations = (typeof EQUATIONS)[number]
/** Days before the rain whose depth tells it. */
export const ANTECEDENT_DAYS = 5
/** Share of those days that the archive has to know. */
export const ANTECEDENT_KNOWN = 0.8
export const OUTPUT_FLOW = 'all_flow_10m.txt'
export const OUTPUT_HEIGHT = 'all_height_10m.txt'
export const OUTPUT_MAX_DEPTH = 'max_waterdepth_10m.txt'

/** Parts of a run's water balance: the rain, then where it went. */
export const BALANCE_PARTS = [
  'rainM3',
  'interceptedM3',
  'infiltratedM3',
  'surfaceM3',
  'waterM3',
  'edgeOutM3',
  'sewerM3',
  'outfallM3',
] as const
/** What a balance has beside them where measures hold water. */
export const MEASURE_PARTS = ['measuresStoredM3', 'measuresInfiltratedM3', 'measuresEvaporatedM3'] as const

/** Longitudinal profile: data every 10 minutes, a picture a minute, each shown 500 ms. */
export const PROFILE_STEP_S = 600
export const PROFILE_FRAME_S = 60
export const PROFILE_SVG = { width: 800, height: 500, legend: 200 } as const
/** Room around and inside the drawing of a profile: link spacing, node width, elevation and distance margins, m. */
export const PROFILE_GEOMETRY = {
  linkSpacing: 0.05,
  nodeWidth: 1,
  elevationMargin: 1,
  distanceMargin: 5,
} as const
/** Lower bounds in % of the classes of a volume's difference, after the first, which is below all of them. */
export const DIFFERENCE_BOUNDS = [-20, -10, 0, 20] as const

/** Bounds of an ensemble of downscaled rain; alpha stays this far from 1, where a cascade has no extremal draws. */
export const ENSEMBLE_LIMITS = {
  members: { min: 2, max: 50 },
  alpha: { min: 0.5, max: 2 },
  alphaFromOne: 0.05,
  c1: { min: 0.001, max: 0.5 },
  seed: { min: 0, max: 4_000_000_000 },
  /** Longest rain that is taken apart, h. */
  hours: 24,
} as const
/** Halvings of a radar cell's side and of the time between two pictures: 250 m to 31 m, and by four in time. */
export const DOWNSCALE_STEPS = { space: 3, time: 2 } as const
/** Water this deep counts as flooded in an ensemble, m. */
export const ENSEMBLE_FLOOD_M = 0.1

/**
 * In the codes of a network over time: a link has so many percent of its full depth, this many where it runs full, and
 * the other where it has no section; a node gives out so many l/s.
 */
export const SEWER_FULL = 100
export const SEWER_DRY = 255
