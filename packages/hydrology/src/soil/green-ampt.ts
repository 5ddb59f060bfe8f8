/**
 * Infiltration of one step under a ponded surface, m (Green and Ampt 1911): dF/dt = K (1 + c / F) with
 * c = (suction + ponded depth) x moisture deficit.
 *
 * F dF = K (F + c) dt is integrated with the trapezoidal rule in F. That is implicit and has no singularity at
 * F = 0, where it gives the exact sqrt(2 K c dt); with d = F1 - F0 it is the quadratic
 * d^2 + (2 F0 - K dt) d - 2 K dt (F0 + c) = 0, solved without cancellation.
 *
 * @param cumulativeM F0, infiltrated so far, m
 * @param khMS K, saturated conductivity, m/s
 * @param headDeficitM c, m
 */
export function greenAmptStep(cumulativeM: number, khMS: number, headDeficitM: number, dtS: number): number {
  const kdt = khMS * dtS
  const numerator = 4 * kdt * (cumulativeM + headDeficitM)
  if (numerator <= 0) return 0
  const b = 2 * cumulativeM - kdt
  return numerator / (b + Math.sqrt(b * b + 2 * numerator))
}
