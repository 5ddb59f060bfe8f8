import { expect, test } from 'vitest'
import { createStepLength, fittingStep } from './step-length.ts'

test('the bend grows with the square of the step: 0.9 of what fits, at most twice as long', () => {
  // A bend of 0.04 m over 2 s is one of 0.01 m over 1 s.
  expect(fittingStep(2, 0.04, 0.01)).toBeCloseTo(0.9, 12)
  expect(fittingStep(2, 0.01, 0.01)).toBeCloseTo(1.8, 12)
  expect(fittingStep(2, 0.001, 0.01)).toBe(4)
  expect(fittingStep(2, 0, 0.01)).toBe(4)
})

const usual = (coupled: boolean, maxStepS?: number) =>
  createStepLength({ coupled, maxStepS, switches: false }).usual
test('usual steps: 5 s, or what is asked for', () => {
  expect([usual(false), usual(true), usual(false, 1), usual(true, 30)]).toEqual([5, 5, 1, 30])
})

test('after a surge steps are shorter, down to half a second, and grow again to the usual one', () => {
  const { after } = createStepLength({ coupled: false, switches: false })
  // Heads may bend by 5 cm.
  expect(after(4, 0.2, false, true)).toBeCloseTo(4 * 0.9 * Math.sqrt(0.05 / 0.2), 12)
  expect(after(4, 50, false, true)).toBe(0.5)
  expect(after(1, 0, false, true)).toBe(2)
  // Where what swings was solved apart, by 10 cm.
  expect(after(4, 0.2, true, true)).toBeCloseTo(4 * 0.9 * Math.sqrt(0.1 / 0.2), 12)
  // Shorter ones only if they were asked for.
  const short = createStepLength({ coupled: false, maxStepS: 0.25, switches: false })
  expect(short.after(0.25, 50, false, true)).toBe(0.25)
})

test('coupled, calm heads let it grow to 20 s, unless something switches, swings, or a step was asked for', () => {
  const of = (more: object) => createStepLength({ coupled: true, switches: false, ...more })
  expect(of({}).after(5, 0, false, true)).toBe(10)
  expect(of({}).after(15, 0, false, true)).toBe(20)
  // By a bend of 1 cm.
  expect(of({}).after(10, 0.01, false, true)).toBeCloseTo(9, 12)
  expect(of({}).after(10, 0.04, false, true)).toBe(5)
  expect(of({}).after(10, 0, false, false)).toBe(5)
  expect(of({ switches: true }).after(5, 0, false, true)).toBe(5)
  expect(of({ maxStepS: 6 }).after(5, 0, false, true)).toBe(6)
})

test('alone, calm heads let it grow by a bend of 1 mm, to 10 s where something switches', () => {
  const of = (more: object) => createStepLength({ coupled: false, switches: false, ...more })
  expect(of({}).after(5, 0, false, true)).toBe(10)
  expect(of({}).after(15, 0, false, true)).toBe(20)
  expect(of({}).after(10, 0.001, false, true)).toBeCloseTo(9, 12)
  expect(of({}).after(10, 0.004, false, true)).toBe(5)
  expect(of({ switches: true }).after(8, 0, false, true)).toBe(10)
  expect(of({ maxStepS: 6 }).after(5, 0, false, true)).toBe(6)
  const longest = [{}, { switches: true }, { maxStepS: 30 }, { coupled: true, switches: true }]
  expect(longest.map((more) => of(more).longest)).toEqual([20, 10, 30, 5])
})

test('a step stands while heads bend by 10 cm, one that has grown by 5 mm', () => {
  const { stands } = createStepLength({ coupled: false, switches: false })
  expect([stands(5, 0.1), stands(5, 0.11), stands(0.5, 9)]).toEqual([true, false, true])
  expect([stands(5.1, 0.005), stands(5.1, 0.0051)]).toEqual([true, false])
  expect(createStepLength({ coupled: true, switches: false }).stands(20, 0.1)).toBe(true)
})
