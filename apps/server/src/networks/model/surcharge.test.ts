import { expect, test } from 'vitest'
import { compareMethods, type SurchargeCheck, surchargeNote, surchargeWarning } from './surcharge.ts'

const CHECK: SurchargeCheck = {
  used: 'EXTRAN',
  other: 'SLOT',
  unknown: null,
  links: 0,
  linksMoved: 0,
  largest: 0,
  largestAt: '',
  flooded: 0,
  outfall: 0,
  moves: false,
}
const results = (peaks: number[], flooded: number, outfall: number) => ({
  peaks: Float64Array.from(peaks),
  flooded,
  outfall,
})
const name = (link: number) => `C${link}`

test('both methods are compared over the links that count, and by their volumes', () => {
  const own = results([1, 0.5, 0.01], 10, 900)
  // The last link carries less than 2 % of the largest flow.
  const near = compareMethods(CHECK, own, results([1.04, 0.48, 0.9], 10.4, 880), 1000, name)
  expect(near).toMatchObject({ links: 2, linksMoved: 0, largestAt: 'C0', moves: false })
  expect(surchargeWarning(near)).toBeNull()
  expect(surchargeNote(near)).toEqual([])
  const far = compareMethods(CHECK, own, results([1.04, 0.4, 0.01], 10, 900), 1000, name)
  expect(far).toMatchObject({ links: 2, linksMoved: 1, largestAt: 'C1', moves: true })
  expect(far.largest).toBeCloseTo(-0.2, 12)
  expect(surchargeWarning(far)).toContain('dans 1 des 2 liens qui comptent (au plus −20 %, lien C1)')
  // Next to nothing floods: measured against a hundredth of all water, 10 m3.
  const little = compareMethods(CHECK, results([1], 0, 900), results([1], 0.4, 900), 1000, name)
  expect(little.flooded).toBeCloseTo(0.04, 12)
  expect(little.moves).toBe(false)
  const flooded = compareMethods(CHECK, own, results([1, 0.5, 0], 12, 900), 1000, name)
  expect(flooded).toMatchObject({ linksMoved: 0, moves: true })
  expect(surchargeWarning(flooded)).toContain('dans 0 des 2 liens qui comptent, le volume débordé de +20 %')
})
