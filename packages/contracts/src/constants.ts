/** Domain constants of the specification. The numbers here are the only place where they stand. */

export const RADX_VERSION = '3.0.1'

/** m/s2, of the whole engine (docs/decisions/0103-one-gravity.md). */
export const GRAVITY = 9.81

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
 * Colours of the 13 accumulation classes in the order of their bounds, from pale to deep, for light grounds and paper;
 * even steps of OKLCH through yellow, green, blue and violet, so that neighbours can be told apart.
 */
export const CUMUL_CLASS_COLORS = [
  '#ebeea7',
  '#bde397',
  '#84d997',
  '#2ecba2',
  '#00bab2',
  '#00a3c0',
  '#0088c6',
  '#006bbf',
  '#3a4fac',
  '#4b358d',
  '#4d2069',
  '#460f44',
  '#390323',
] as const

/** The same classes on dark grounds: there more is brighter. */
export const CUMUL_CLASS_COLORS_DARK = [
  '#462e69',
  '#433f86',
  '#3552a0',
  '#0069b3',
  '#0081bd',
  '#0098bd',
  '#00aeb4',
  '#00c0a6',
  '#30ce96',
  '#80d988',
  '#b6e284',
  '#e3e98d',
  '#fff2a3',
] as const

/** Class code of a cell on which nothing fell in the period: transparent. */
export const CUMUL_DRY = 14

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
/** Clocks of instruments and of the server may differ by this much: what is dated later is refused. */
export const CLOCK_TOLERANCE_SECONDS = 600
export const LIVE_REFRESH_SECONDS = 120
export const LIVE_REFRESH_BUDGET_SECONDS = 14_400

/** Nominal time between two frames of the radar. */
export const NOMINAL_FRAME_SECONDS = 206

export const WEIGHT_SECONDS_PER_SLIDE = 0.42
export const CALENDAR_FIRST_YEAR = 2019
/** Longest period that is counted, saved as an event, or loaded as an archive, days. */
export const PERIOD_MAX_DAYS = 366 * 100
/** An archive up to here is answered at once; a longer one streams. Days. */
export const ARCHIVE_AT_ONCE_DAYS = 7
/** Time steps, in seconds, that the page offers for an archive with fewer images. */
export const ARCHIVE_STEPS_S = [900, 3_600, 21_600, 86_400] as const
export const ARCHIVE_STEP_LIMITS_S = { min: 60, max: 86_400 } as const
/** Longest periods of an accumulation map, of profiles of the micro rain radar and of a pixel's series, days. */
export const ACCUMULATION_MAX_DAYS = 93
export const MRR_PERIOD_MAX_DAYS = 31
export const SERIES_MAX_DAYS = 366
/** Longest period whose largest depths are told with their return periods, days. */
export const RETURN_PERIODS_DAYS = 31
/** Longest periods of exports, days: graphs, spreadsheet and raster; the report; hyetograms as CSV; exact grids. */
export const EXPORT_TABLE_DAYS = 31
export const EXPORT_REPORT_DAYS = 31
export const EXPORT_CSV_DAYS = 366
export const EXPORT_GRID_DAYS = 7

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
