import type { RunMeasure } from '@radx/contracts/measures'
import { expect, test } from 'vitest'
import { sumByKind } from './by-kind.ts'

const measure = (changes: Partial<RunMeasure>): RunMeasure => ({
  ...{ name: 'Bassin 1', kind: 'basin', code: 107, cells: 1, areaM2: 100, drainTo: '', rainM3: 3 },
  ...{ inflowM3: 5, initialM3: 0, storedM3: 6, infiltratedM3: 2, evaporatedM3: 0, drainedM3: 0 },
  ...{ overflowM3: 0, balanceErrorM3: 0, keptM3: 8, costEur: 3500 },
  ...changes,
})

test('kinds are summed, what kept most first, with the price of a cubic metre kept', () => {
  const roofs = measure({ kind: 'green-roof', keptM3: 0, areaM2: 200, costEur: 9000 })
  expect(sumByKind([roofs, measure({}), measure({ keptM3: 12 })], {})).toEqual([
    { kind: 'basin', count: 2, areaM2: 200, keptM3: 20, costEur: 7000, eurM2: 35, eurM3: 350 },
    { kind: 'green-roof', count: 1, areaM2: 200, keptM3: 0, costEur: 9000, eurM2: 45, eurM3: null },
  ])
})

test('a price that somebody gives stands for the run’s own, of its kind alone', () => {
  const [basins, roofs] = sumByKind([measure({}), measure({ kind: 'green-roof', keptM3: 1 })], { basin: 80 })
  expect(basins).toMatchObject({ costEur: 8000, eurM2: 80, eurM3: 1000 })
  expect(roofs.costEur).toBe(3500)
})
