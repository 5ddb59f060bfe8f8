import { expect, test } from 'vitest'
import { driftWarning } from './drift.ts'

const sewer = (drift: number, inflow = 990) => ({
  drift: () => drift,
  totals: () => ({ initial: 0, inflow, stored: 0, outfall: 0, flooded: 0, loss: 0, error: 0 }),
})

test('heads that are more than 2 % off the balance are told, with which way and what to do', () => {
  expect(driftWarning(sewer(19))).toBeNull()
  expect(driftWarning(sewer(-19))).toBeNull()
  expect(driftWarning(sewer(45))).toMatch(/4,5 % .*45 m³ de trop.*ROUTING_STEP/)
  expect(driftWarning(sewer(-45))).toMatch(/de moins/)
  // A network that stays dry has a film in its pipes, whose share says nothing.
  expect(driftWarning(sewer(-0.009, 0.07))).toBeNull()
})

test('the implicit scheme has nothing to tell', () => {
  expect(driftWarning({ totals: sewer(0).totals })).toBeNull()
})
