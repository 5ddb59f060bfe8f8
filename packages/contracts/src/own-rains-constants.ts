/** Radar pictures of one's own, as one zip. */
export const OWN_RAIN_UPLOAD_MAX = 200 * 2 ** 20
export const OWN_RAIN_UNPACKED_MAX = 2 ** 30
export const OWN_RAIN_FILES_MAX = 4_096
/** Pictures hold zeros alone when it is dry, and some programs write them as they are. */
export const OWN_RAIN_RATIO_MAX = 1_000
/** Longest rain, h: that of a run. */
export const OWN_RAIN_MAX_HOURS = 168

/** Rains and land uses of a battery, and the runs that it may come to. */
export const BATTERY_LIMITS = { rains: 40, landUses: 20, runs: 100 } as const
