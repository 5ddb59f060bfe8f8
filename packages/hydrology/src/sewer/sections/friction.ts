import type { SewerOptions } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'

/** Kinematic viscosity that EPA SWMM reckons with (1.1e-5 ft2/s), m2/s. */
const VISCOSITY = 1.1e-5 * 0.3048 ** 2

/**
 * Darcy-Weisbach friction factor (Swamee and Jain 1976; 64/Re below 2000, in between linear).
 * @param roughnessM height of the roughness, m
 * @param radiusM hydraulic radius, m
 */
export function darcyFactor(roughnessM: number, radiusM: number, reynolds: number): number {
  const turbulent = (re: number) =>
    0.25 / Math.log10(roughnessM / 3.7 / (4 * radiusM) + 5.74 / re ** 0.9) ** 2
  if (reynolds <= 10) return 6.4
  if (reynolds <= 2000) return 64 / reynolds
  if (reynolds < 4000) return 0.032 + ((turbulent(4000) - 0.032) * (reynolds - 2000)) / 2000
  return turbulent(reynolds)
}

/** Power of the speed in Hazen and Williams' `forceMainFriction`, and by what g times it is divided. */
export const HAZEN_POWER = 0.852
export const hazenConveyance = (coefficient: number, radiusM: number): number =>
  (0.849 * coefficient) ** 1.852 * radiusM ** (0.63 * 1.852)

/**
 * Friction of a full force main: the factor by which momentum decays a second, 1/s.
 * Hazen-Williams: S = (v / (0.849 C R^0.63))^1.852. Darcy-Weisbach: S = f v^2 / (8 g R).
 * @param coefficient C (-) or roughness height (m)
 * @returns the factor for a speed, m/s
 */
export function forceMainFriction(
  coefficient: number,
  radiusM: number,
  equation: SewerOptions['forceMainEquation'],
): (speedMS: number) => number {
  if (equation === 'H-W') {
    const conveyed = hazenConveyance(coefficient, radiusM)
    return (speedMS) => (GRAVITY * speedMS ** HAZEN_POWER) / conveyed
  }
  return (speedMS) => {
    const reynolds = (4 * radiusM * speedMS) / VISCOSITY
    return (darcyFactor(coefficient, radiusM, reynolds) * speedMS) / (8 * radiusM)
  }
}

/** Manning n that loses as much when the main is just full at its slope; used while it is partly full. */
export function forceMainManning(
  coefficient: number,
  diameterM: number,
  slope: number,
  equation: SewerOptions['forceMainEquation'],
): number {
  const radius = diameterM / 4
  if (equation === 'H-W') {
    const speed = 0.849 * coefficient * radius ** 0.63 * slope ** 0.54
    return (radius ** (2 / 3) * Math.sqrt(slope)) / speed
  }
  const f = darcyFactor(coefficient, radius, 1e12)
  return radius ** (1 / 6) * Math.sqrt(f / (8 * GRAVITY))
}
