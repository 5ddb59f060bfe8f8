import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attackModel, DAMAGES, damageModel } from '../../tools/fuzzing/models.ts'
import { hasReferenceData, referenceFiles } from './reference-data.ts'
import { numbers } from './runoff-model.ts'

const models = (folder: string) =>
  referenceFiles(folder, /^[^.]+$/).map((path) => readFileSync(join(path, `${basename(path)}.inp`), 'latin1'))

describe.skipIf(!hasReferenceData())('damaged models of the bed', () => {
  test('are refused with file and line, or run and keep their water', () => {
    // The largest ones take longer to read than they teach; `npm run fuzz -- --format model` has them all.
    const texts = [...models('sewer/wild'), ...models('sewer/complete')].filter(
      (text) => text.length < 120_000,
    )
    expect(texts.length).toBeGreaterThan(30)
    const outcomes = { ran: 0, refused: 0 }
    const ways = new Set<string>()
    for (let i = 0; i < 10 * texts.length; i++) {
      const random = numbers(7000 + i)
      const damaged = damageModel(texts[i % texts.length], (below) => Math.floor(random() * below))
      for (const way of damaged.ways) ways.add(way)
      try {
        outcomes[attackModel(damaged.text)]++
      } catch (error) {
        throw new Error(`case ${i} (${damaged.ways.join(', ')}): ${error}`, { cause: error })
      }
    }
    expect([...ways].sort()).toEqual(Object.keys(DAMAGES).sort())
    expect(outcomes.ran).toBeGreaterThan(50)
    expect(outcomes.refused).toBeGreaterThan(50)
  })
})
