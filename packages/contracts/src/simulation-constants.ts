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
