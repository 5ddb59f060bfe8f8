/** Longest step with `fine`, s. */
const FINE_STEP_S = 1

export interface Stepping {
  /** Steps of 1 s where no other were asked for. */
  fine?: boolean
  /** Longest step, s. */
  maxStepS?: number
  implicit?: boolean
}

/** How a network is stepped through: who asks for a longest step asks for the implicit scheme, the only one that has a choice. */
export function steppingOf({ fine = false, maxStepS, implicit }: Stepping): {
  fine: boolean
  maxStepS?: number
  implicit: boolean
} {
  const longest = maxStepS ?? (fine ? FINE_STEP_S : undefined)
  return { fine, maxStepS: longest, implicit: implicit ?? longest !== undefined }
}
