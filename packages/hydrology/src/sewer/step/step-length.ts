/** Peaks are as near to EPA SWMM's as with 1 s (docs/decisions/0102); the surface's own steps are as long. */
const USUAL_STEP_S = 5
/**
 * Coupled, the step grows up to LONGEST_COUPLED_STEP_S while heads go on as they went: what they are off a straight
 * line over a step is about twice the error of the implicit scheme, and is held to BEND_M.
 */
const LONGEST_COUPLED_STEP_S = 20
const BEND_M = 0.01
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
  /** Rules and pumps switch from step to step: such steps do not grow. */
  switches: boolean
}

/** How long steps may be, s. */
export interface StepLength {
  usual: number
  /**
   * The longest next step after one of `dt` over which heads bent by `bend`; `apart`: what swung was solved apart, `whole`:
   * nothing swung.
   */
  after(dt: number, bend: number, apart: boolean, whole: boolean): number
}

export function createStepLength({ coupled, maxStepS, switches }: StepLengthInput): StepLength {
  const usual = maxStepS ?? USUAL_STEP_S
  const adapts = coupled && maxStepS === undefined && !switches
  return {
    usual,
    after(dt, bend, apart, whole) {
      const longest = Math.max(
        Math.min(SURGE_STEP_S, usual),
        Math.min(usual, fittingStep(dt, bend, apart ? PARTED_M : SURGE_M)),
      )
      if (!adapts || !whole) return longest
      return Math.min(LONGEST_COUPLED_STEP_S, Math.max(longest, fittingStep(dt, bend, BEND_M)))
    },
  }
}

/** Step over which heads bend by `limit`, from one over which they bent by `bend`: it grows with the square. */
export const fittingStep = (dt: number, bend: number, limit: number) =>
  dt * Math.min(2, 0.9 * Math.sqrt(limit / Math.max(bend, 1e-6)))
