/** Domain constants of the specification. The numbers here are the only place where they stand. */

export const RADX_VERSION = '3.0.1'

export const DEFAULT_PRODUCT = 'dpsri'
export const DEFAULT_CATCHMENT = 'melun'

/**
 * Rain intensity classes in mm/h, half-open [low, high); the last takes its low end.
 * Code 0 of a class frame is "below 0.4, transparent"; codes 1 to 8 are these rows in order;
 * code 15 is no data. Colours are the official ones and the only loud colours of the interface.
 */
export const INTENSITY_CLASSES = [
  { lowMmH: 0.4, highMmH: 1, color: '#0b3aa8', labelFr: '0,4 à 1' },
  { lowMmH: 1, highMmH: 3, color: '#5db8f5', labelFr: '1 à 3' },
  { lowMmH: 3, highMmH: 10, color: '#0a7d2c', labelFr: '3 à 10' },
  { lowMmH: 10, highMmH: 20, color: '#3fe03f', labelFr: '10 à 20' },
  { lowMmH: 20, highMmH: 30, color: '#ffe41f', labelFr: '20 à 30' },
  { lowMmH: 30, highMmH: 50, color: '#8a2be2', labelFr: '30 à 50' },
  { lowMmH: 50, highMmH: 100, color: '#ff1fd1', labelFr: '50 à 100' },
  { lowMmH: 100, highMmH: Number.POSITIVE_INFINITY, color: '#8b0000', labelFr: '100 et plus' },
] as const

/** Class code of a cell without data. */
export const CLASS_NO_DATA = 15

/** Upper bounds of the accumulation classes in mm, half-open; the last class is 100 mm and more. */
export const CUMUL_CLASS_BOUNDS_MM = [1, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100] as const

/**
 * Colours of the 13 accumulation classes in the order of their bounds, from pale to deep; one ramp, so that
 * depths are not taken for intensities.
 */
export const CUMUL_CLASS_COLORS = [
  '#eef3f0',
  '#d7e8e0',
  '#bcdcd3',
  '#9ccfc8',
  '#79bfc0',
  '#57abb8',
  '#3f93af',
  '#377aa5',
  '#3a6099',
  '#42478a',
  '#473174',
  '#431f58',
  '#33123b',
] as const

/** A drop icon's level is the count of these that the intensity is above (mm/h): 0 to 6. */
export const DROP_LEVELS_MM_H = [0.4, 1, 3, 10, 20, 30] as const

/** Wind speed classes in km/h: t0 below 10, t1 10 to 20, t2 20 to 30, t3 30 and more. */
export const WIND_CLASS_BOUNDS_KM_H = [10, 20, 30] as const
export const WIND_CLASSES = ['t0', 't1', 't2', 't3'] as const
export const COMPASS_DIRECTIONS = [
  'n',
  'nne',
  'ne',
  'ene',
  'e',
  'ese',
  'se',
  'sse',
  's',
  'ssw',
  'sw',
  'wsw',
  'w',
  'wnw',
  'nw',
  'nnw',
] as const

export const MAP_TILE_ZOOM = { min: 7, max: 13 } as const
export const CATCHMENT_ZOOM = 11

export const GEOLOCATION_OPTIONS = { enableHighAccuracy: true, timeout: 5_000, maximumAge: 60_000 } as const

export const PLAYBACK_STEP_MS = 500
export const MAX_SLIDER_TICKS = 50
export const LIVE_WINDOW_SECONDS = 3 * 3600
export const RADAR_DOWN_AFTER_SECONDS = 15 * 60
export const LIVE_REFRESH_SECONDS = 120
export const LIVE_REFRESH_BUDGET_SECONDS = 14_400

/** Nominal time between two frames of the radar. */
export const NOMINAL_FRAME_SECONDS = 206

export const WEIGHT_SECONDS_PER_SLIDE = 0.42
export const CALENDAR_FIRST_YEAR = 2019
export const ARCHIVE_MAX_DAYS = 7

export const TITLE_MAX = 1024
export const COMMENT_MAX = 4096
export const COMMENT_FOLD = 50
export const LOGIN_MIN = 2
export const EVENT_PAGE_SIZES = [5, 10] as const
export const PIXEL_COLORS = 3
/** Minutes by which the restriction notice and the hours that can be chosen are narrowed at both ends. */
export const RESTRICTION_OFFSET_MINUTES = 10
/** Distance in m around a catchment's boundary that a raster export covers. */
export const RASTER_MARGIN_M = 4_000

export const HISTOGRAM_SVG = { width: 1000, height: 301 } as const
export const GRAPH_SVG = { width: 600, height: 150 } as const
