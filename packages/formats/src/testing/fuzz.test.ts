import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mutations } from './fuzz-arbitrary.ts'
import { attack, FUZZ_TARGETS, type FuzzTarget } from './fuzz-targets.ts'
import { applyMutations } from './mutate.ts'

describe('every reader answers damaged files with a sound result or a typed refusal', () => {
  test.each(Object.keys(FUZZ_TARGETS) as FuzzTarget['name'][])('%s', async (name) => {
    const target = FUZZ_TARGETS[name](5000)
    const seeds = await target.seeds()
    for (const seed of seeds) expect(await attack(target, seed)).toEqual({ kind: 'read' })
    const before = await Promise.all(seeds.map((seed) => target.read(seed)))
    const found = { read: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: seeds.length - 1 }), mutations, async (index, damage) => {
        const { kind } = await attack(target, applyMutations(seeds[index], damage))
        found[kind]++
      }),
      { seed: 206, numRuns: 2000 },
    )
    expect(found.refused).toBeGreaterThan(200)
    // Damage leaves no trace: sound files read as they did.
    expect(await Promise.all(seeds.map((seed) => target.read(seed)))).toEqual(before)
    await target.close?.()
  })

  test.each(Object.keys(FUZZ_TARGETS) as FuzzTarget['name'][])(
    '%s refuses bytes that are nothing',
    async (name) => {
      const target = FUZZ_TARGETS[name](5000)
      const starts = ['', '<product>', '<volume', '\u0089HDF\r\n\u001a\n', '"TOA5",', '\u0000']
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...starts),
          fc.uint8Array({ maxLength: 300 }),
          async (start, rest) => {
            const outcome = await attack(target, Buffer.concat([Buffer.from(start, 'latin1'), rest]))
            expect(outcome.kind).toBe('refused')
          },
        ),
        { seed: 206, numRuns: 100 },
      )
      await target.close?.()
    },
  )
})
