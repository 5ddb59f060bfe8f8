/**
 * Thresholds of EPA SWMM's dynamic wave (SWMM Reference Manual II, 3.3; in feet there), in SI. What a trial answers hangs on
 * them wherever water begins to flow, turns or runs dry.
 */
const FT = 0.3048

/** A depth below which nothing flows, m. */
export const FILM_M = 1e-4 * FT
/** The same as an area, m2, and as a flow, m3/s. */
export const FILM_M2 = 1e-4 * (FT * FT)
export const FILM_M3S = 1e-4 * (FT * FT * FT)
/** What is left of a flow that turns between two trials, m3/s. */
export const TURNING_M3S = 1e-3 * (FT * FT * FT)
/** Fastest water in a conduit, m/s. */
export const FASTEST_MS = 50 * FT
/** An orifice stores as a pipe of at least this length, m. */
export const ORIFICE_LENGTH_M = 200 * FT
/** Weight of a trial's answer beside what the trial before it gave. */
export const RELAXATION = 0.5
/** A surcharged node at the head of a line rises by this share of what its balance asks for. */
export const TERMINAL_SHARE = 0.6
/** Shortest step that the file may ask for, s. */
export const SHORTEST_STEP_S = 1e-3

/** What EPA SWMM takes where the file says nothing. */
export const DEFAULTS = {
  courant: 0.75,
  minStepS: 0.5,
  maxTrials: 8,
  headToleranceM: 0.005 * FT,
} as const
