/** Peaks are as near to EPA SWMM's as with 1 s (docs/decisions/0102); the surface's own steps are as long. */
const USUAL_STEP_S = 5
/**
 * The step grows up to LONGEST_STEP_S while heads go on as they went: what they are off a straight line over a step is about
 * twice the error of the implicit scheme, and is held to BEND_M, coupled to COUPLED_BEND_M. Where something switches, up to
 * LONGEST_SWITCHING_S, coupled not at all.
 */
const LONGEST_STEP_S = 20
const LONGEST_SWITCHING_S = 10
const BEND_M = 0.001
const COUPLED_BEND_M = 0.01
/** A step longer than the usual one over which heads bend by more than this is taken again in shorter ones; not coupled. */
const GROWN_BEND_M = 5 * BEND_M
/** Over a surge heads bend by more than this: the step is taken again in shorter ones, down to SURGE_STEP_S. */
export const SURGE_M = 0.05
export const SURGE_STEP_S = 0.5
/**
 * Where only what swings is taken again, whose heads bend by more than SEED_M: steps there go by a bend of PART_M, down to
 * PART_STEP_S; those of the others grow by PARTED_M, which none of them reaches.
 */
export const SEED_M = SURGE_M / 2
export const PART_M = SURGE_M / 4
export const PART_STEP_S = 0.125
const PARTED_M = 2 * SURGE_M

export interface StepLengthInput {
  coupled: boolean
  /** Asked for by the caller, s. */
  maxStepS?: number
  /** Rules and pumps switch from step to step. */
  switches: boolean
}

/** How long steps may be, s. */
export interface StepLength {
  usual: number
  longest: number
  /** Whether a step of `dt` over which heads bent by `bend` may stand. */
  stands(dt: number, bend: number): boolean
  /**
   * The longest next step after one of `dt` over which heads bent by `bend`; `apart`: what swung was solved apart, `whole`:
   * nothing swung.
   */
  after(dt: number, bend: number, apart: boolean, whole: boolean): number
}

export function createStepLength({ coupled, maxStepS, switches }: StepLengthInput): StepLength {
  const usual = maxStepS ?? USUAL_STEP_S
  const adapts = maxStepS === undefined && !(coupled && switches)
  const calm = coupled ? COUPLED_BEND_M : BEND_M
  const grown = switches ? LONGEST_SWITCHING_S : LONGEST_STEP_S
  return {
    usual,
    longest: adapts ? Math.max(usual, grown) : usual,
    stands: (dt, bend) =>
      (dt <= SURGE_STEP_S || bend <= 2 * SURGE_M) && (coupled || dt <= usual || bend <= GROWN_BEND_M),
    after(dt, bend, apart, whole) {
      const longest = Math.max(
        Math.min(SURGE_STEP_S, usual),
        Math.min(usual, fittingStep(dt, bend, apart ? PARTED_M : SURGE_M)),
      )
      if (!adapts || !whole) return longest
      return Math.min(grown, Math.max(longest, fittingStep(dt, bend, calm)))
    },
  }
}

/** Step over which heads bend by `limit`, from one over which they bent by `bend`: it grows with the square. */
export const fittingStep = (dt: number, bend: number, limit: number) =>
  dt * Math.min(2, 0.9 * Math.sqrt(limit / Math.max(bend, 1e-6)))
