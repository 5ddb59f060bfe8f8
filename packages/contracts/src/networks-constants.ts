/** Largest upload of a network: an .inp, or a zip of one with the files that it names, bytes. */
export const NETWORK_UPLOAD_MAX = 32 * 2 ** 20
/** What a zip may hold, unpacked. */
export const NETWORK_UNPACKED_MAX = 64 * 2 ** 20
export const NETWORK_FILES_MAX = 64
export const NETWORK_VERSIONS_MAX = 50
export const NETWORK_NAME_MAX = 120
/** Largest result of EPA SWMM that a run is compared with, bytes. */
export const NETWORK_RESULT_MAX = 64 * 2 ** 20
/** Rain of a run: characters of a CSV, values of a series. */
export const NETWORK_CSV_MAX = 1_000_000
export const NETWORK_RAIN_MAX = 44_640
/** Longest time that a run simulates, h. */
export const NETWORK_HOURS_MAX = 8_784
/** Elements of one call for curves. */
export const NETWORK_CURVES_MAX = 12

/** What curves show, in the order in which results keep it. */
export const NODE_QUANTITIES = ['depth', 'head', 'volume', 'lateral', 'inflow', 'flooding'] as const
/** Of subcatchments, in EPA SWMM's order; those of snow, groundwater and soil stay 0. */
export const SUBCATCHMENT_VARIABLES = [
  'rain',
  'snow',
  'evaporation',
  'infiltration',
  'runoff',
  'groundwater',
  'table',
  'moisture',
] as const
/** What curves of subcatchments show: `measures` is the water in their measures. */
export const SUBCATCHMENT_QUANTITIES = ['runoff', 'rain', 'infiltration', 'evaporation', 'measures'] as const
export const LINK_QUANTITIES = ['flow', 'depth', 'velocity', 'volume', 'capacity'] as const
