// Thresholds of EPA SWMM's dynamic wave: src/sewer/explicit/limits.ts, which says what is what.
const FT: f64 = 0.3048
export const FILM_M: f64 = 1e-4 * FT
export const FILM_M2: f64 = 1e-4 * (FT * FT)
export const FILM_M3S: f64 = 1e-4 * (FT * FT * FT)
export const TURNING_M3S: f64 = 1e-3 * (FT * FT * FT)
export const FASTEST_MS: f64 = 50 * FT
export const RELAXATION: f64 = 0.5
export const TERMINAL_SHARE: f64 = 0.6
