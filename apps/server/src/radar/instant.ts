import { isoSeconds } from '@radx/locale/time'

/** ISO 8601 with Z; fractions of a second only where there are some. */
export const iso = (ms: number): string => (ms % 1000 === 0 ? isoSeconds(ms) : new Date(ms).toISOString())
