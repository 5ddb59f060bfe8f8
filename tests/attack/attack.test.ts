import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCase } from './attack-case.ts'
import { CASES } from './cases/index.ts'
import { type Program, SHARED, startProgram } from './program.ts'

/** The short form of every attack, from outside against the started program; `npm run attack` is the long one. */
describe('under attack', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram(SHARED)
  }, 600_000)
  afterAll(async () => {
    expect(await program?.stop()).toBe(0)
  }, 200_000)

  test.each(CASES)('$name', { timeout: 900_000 }, async (attack) => {
    const { wrong } = await runCase(attack, program, false)
    expect(wrong).toEqual([])
  })
})
