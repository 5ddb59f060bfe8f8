import { expect, test } from 'vitest'
import { darcyFactor, forceMainFriction, forceMainManning } from './friction.ts'

const GRAVITY = 9.81
/** Swamee and Jain 1976. */
const swamee = (roughness: number, diameter: number, reynolds: number) =>
  0.25 / Math.log10(roughness / (3.7 * diameter) + 5.74 / reynolds ** 0.9) ** 2

test('Darcy’s factor: laminar, turbulent, a line in between', () => {
  expect(darcyFactor(0.001, 0.25, 5)).toBe(6.4)
  expect(darcyFactor(0.001, 0.25, 10)).toBe(6.4)
  expect(darcyFactor(0.001, 0.25, 1000)).toBeCloseTo(0.064, 12)
  expect(darcyFactor(0.001, 0.25, 2000)).toBeCloseTo(0.032, 12)
  expect(darcyFactor(0.001, 0.25, 1e5)).toBeCloseTo(swamee(0.001, 1, 1e5), 12)
  expect(darcyFactor(0.001, 0.25, 4000)).toBeCloseTo(swamee(0.001, 1, 4000), 12)
  expect(darcyFactor(0.001, 0.25, 3000)).toBeCloseTo((0.032 + swamee(0.001, 1, 4000)) / 2, 12)
  // Moody's chart: relative roughness 0.001 at Re 1e6 has 0.0199.
  expect(darcyFactor(0.001, 0.25, 1e6)).toBeCloseTo(0.0199, 3)
})

test('friction a second is g S / v', () => {
  const [v, r] = [1.5, 0.2]
  const hazen = (v / (0.849 * 120 * r ** 0.63)) ** 1.852
  expect(forceMainFriction(120, r, 'H-W')(v)).toBeCloseTo((GRAVITY * hazen) / v, 9)
  const viscosity = 1.1e-5 * 0.3048 ** 2
  const darcy = (swamee(0.0005, 0.8, (v * 0.8) / viscosity) * v * v) / (8 * GRAVITY * r)
  expect(forceMainFriction(0.0005, r, 'D-W')(v)).toBeCloseTo((GRAVITY * darcy) / v, 9)
})

test('the equal Manning n loses as much when the main is just full', () => {
  const [d, slope] = [0.5, 0.004]
  const r = d / 4
  const manning = (n: number) => (r ** (2 / 3) * Math.sqrt(slope)) / n
  const hazen = forceMainManning(120, d, slope, 'H-W')
  expect(manning(hazen)).toBeCloseTo(0.849 * 120 * r ** 0.63 * slope ** 0.54, 9)
  const darcy = forceMainManning(0.0005, d, slope, 'D-W')
  expect(manning(darcy)).toBeCloseTo(Math.sqrt((8 * GRAVITY * r * slope) / swamee(0.0005, d, 1e12)), 9)
})
