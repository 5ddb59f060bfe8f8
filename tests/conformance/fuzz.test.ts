import { readFileSync } from 'node:fs'
import { mutations } from '@radx/formats/testing/fuzz-arbitrary'
import { attack, FUZZ_TARGETS, type FuzzTarget } from '@radx/formats/testing/fuzz-targets'
import { applyMutations } from '@radx/formats/testing/mutate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

const NAMES = (Object.keys(FUZZ_TARGETS) as FuzzTarget['name'][]).filter((name) => FUZZ_TARGETS[name]().real)

describe.skipIf(!hasReferenceData())('damaged real files get a sound result or a typed refusal', () => {
  test.each(NAMES)('%s', async (name) => {
    const target = FUZZ_TARGETS[name](5000)
    const files = referenceFiles(target.real!.folder, target.real!.pattern).map((path) => readFileSync(path))
    const found = { read: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: files.length - 1 }), mutations, async (index, damage) => {
        const { kind } = await attack(target, applyMutations(files[index], damage))
        found[kind]++
      }),
      { seed: 206, numRuns: 2000 },
    )
    expect(found.refused).toBeGreaterThan(100)
    await target.close?.()
  })
})
