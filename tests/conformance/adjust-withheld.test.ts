import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { adjusted, dir, GAUGES, goteborg } from './adjust-fixture.ts'
import { hasReferenceData } from './reference-data.ts'

/** Short form of the five methods; `RADX_LONG=1` takes all of them. */
const METHODS = process.env.RADX_LONG ? ['mfb', 'additive', 'multiplicative', 'mixed', 'ked'] : ['mfb', 'ked']

/** Two tables of one: every third gauge, and the others. */
function parted(name: string, table: string, first: number): { kept: string; withheld: string } {
  const [head, ...lines] = readFileSync(table, 'utf8').trim().split(/\r?\n/)
  const names = head.split(',')
  const column = names.findIndex((one) => /station/.test(one))
  const ids = [...new Set(lines.map((line) => line.split(',')[column]))].sort()
  const third = new Set(ids.filter((_, i) => i % 3 === first))
  const write = (file: string, isIn: boolean): string => {
    const path = join(dir, `${name}-${first}-${file}.csv`)
    const rows = lines.filter((line) => third.has(line.split(',')[column]) === isIn)
    writeFileSync(path, `${head}\n${rows.join('\n')}\n`)
    return path
  }
  return { kept: write('kept', false), withheld: write('withheld', true) }
}

/** What gauges say of frames, which stay as they are. */
async function told(name: string, radar: string[], gauges: string) {
  const asIs = ['--method', 'mfb', '--cells', '1', '--min-gauges', '1000', '--force']
  return (await adjusted(name, radar, gauges, asIs, 1)).scores.nearestCell.all
}

/** What each third says of the radar itself, whatever the method. */
const before = new Map<string, ReturnType<typeof told>>()

/** Adjusts to two thirds of the gauges, and asks the third that was never seen. */
async function verified(name: string, radar: string[], table: string, first: number, method: string) {
  const { kept, withheld } = parted(name, table, first)
  const third = `${name}-${first}`
  const place = `${third}-${method}`
  const { out, scores } = await adjusted(place, radar, kept, ['--method', method])
  const written = scores.frames.map((frame: string) => join(out, frame))
  if (!before.has(third)) before.set(third, told(`${third}-before`, radar, withheld))
  return { before: await before.get(third)!, after: await told(`${place}-after`, written, withheld) }
}

interface Means {
  pairs: number
  gaugeMean: number
  radarMean: number
}

/** Bias in % over all gauges of several checks. */
function biasOf(checks: readonly Means[]): number {
  const sum = (mean: 'gaugeMean' | 'radarMean') => checks.reduce((all, one) => all + one.pairs * one[mean], 0)
  return 100 * (sum('radarMean') / sum('gaugeMean') - 1)
}

describe.skipIf(!hasReferenceData())('gauges that an adjustment never saw', () => {
  let city: Awaited<ReturnType<typeof goteborg>>
  beforeAll(async () => {
    city = await goteborg()
  })

  test.each(METHODS)(
    '%s: each third of Göteborg told by the others, its bias under a tenth',
    async (method) => {
      const thirds: Awaited<ReturnType<typeof verified>>[] = []
      for (const first of [0, 1, 2])
        thirds.push(await verified('goteborg', city.radar, city.gauges, first, method))
      expect(thirds.map(({ after }) => after.pairs)).toEqual([4, 3, 3])
      expect(biasOf(thirds.map(({ before }) => before))).toBeLessThan(-60)
      expect(Math.abs(biasOf(thirds.map(({ after }) => after)))).toBeLessThan(10)
    },
  )

  test.each(METHODS.filter((method) => !/tive$/.test(method)))(
    '%s: a third of Germany, closer than the radar alone',
    async (method) => {
      const [file, table] = ['radolan_ry_data_compressed.nc', 'radolan_rain_gauge_data.csv'].map((name) =>
        join(GAUGES, name),
      )
      const { before, after } = await verified('german', [file], table, 0, method)
      expect(after.pairs).toBe(before.pairs)
      expect(Math.abs(after.biasPct)).toBeLessThan(10)
      expect(Math.abs(after.biasPct)).toBeLessThan(Math.abs(before.biasPct))
      if (method !== 'mfb') expect(after.rmse).toBeLessThan(before.rmse)
    },
  )
})
