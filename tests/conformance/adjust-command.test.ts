import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOdim } from '@radx/formats/odim/odim'
import { describe, expect, test } from 'vitest'
import { main } from '../../apps/server/src/cli/main.ts'
import { adjusted, dir, german, goteborg } from './adjust-fixture.ts'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

/** Of the radar round Paris at 15:50, 16:50, 17:30 and 18:50. */
const FACTORS = [0.4759, 0.4759, 0.4759, 0.5282]

/** Ten of many, all over their list. */
const tenOf = (cells: readonly number[]): number[] =>
  Array.from({ length: 10 }, (_, k) => cells[Math.floor(((k + 0.5) * cells.length) / 10)])

describe.skipIf(!hasReferenceData())('radx adjust on real gauges', () => {
  test('1,142 German gauges: what radar and gauges say', async () => {
    const { file, radar, gauges } = await german()
    const { scores } = await adjusted('german', radar, gauges, ['--method', 'mfb', '--cells', '1'])
    const near = (value: number, expected: number) =>
      expect(Math.abs(value / expected - 1)).toBeLessThan(0.005)
    expect(scores.frameTime).toBe('start')
    near(scores.nearestCell.all.gaugeMean, 0.2904)
    near(scores.nearestCell.all.radarMean, 0.2634)
    const both = scores.nearestCell.above05mm
    expect(both.pairs).toBe(121)
    near(both.ratioOfSums, 1.0247)
    near(both.medianRatio, 1.0172)
    near(both.correlation, 0.7169)
    near(both.rmse, 1.1784)
    near(both.logBiasDb, 0.2242)
    const direct = await adjusted('german-netcdf', [file], gauges, ['--method', 'mfb', '--cells', '1'])
    near(direct.scores.nearestCell.all.radarMean, 0.2634)
    near(direct.scores.nearestCell.above05mm.correlation, 0.7169)
    expect(direct.scores.frames).toHaveLength(12)
  })

  test('a radar that reads a third of ten gauges: cross-validated bias under 10 %', async () => {
    const { file, radar, gauges: table } = await goteborg()
    const raw = await adjusted('goteborg-mfb', radar, table, ['--method', 'mfb', '--cells', '1'])
    expect(raw.scores.raw.ratioOfSums).toBeCloseTo(2.92, 1)
    // The file itself says the same, its rows turned by its latitudes.
    const direct = await adjusted('goteborg-netcdf', [file], table, ['--method', 'mfb', '--cells', '1'])
    expect(direct.scores.raw.ratioOfSums).toBeCloseTo(raw.scores.raw.ratioOfSums, 6)
    expect(direct.scores.raw.correlation).toBeCloseTo(raw.scores.raw.correlation, 6)
    for (const method of ['mfb', 'additive', 'multiplicative', 'mixed', 'ked']) {
      const { scores } = await adjusted(`goteborg-${method}`, radar, table, [
        '--method',
        method,
        '--cells',
        '1',
      ])
      expect(Math.abs(scores.leaveOneOut.biasPct), method).toBeLessThan(10)
    }
  })

  test('gauges drawn from adjusted frames tell the factor of the unadjusted ones, and its spread', async () => {
    const radar = referenceFiles('radar-science/nowcast/rmi-no-mfb-20210704', /\.hdf$/)
    const times = radar.map((path) => /(\d{14})/.exec(path)![1])
    const all = referenceFiles('odim/rmi-20210704', /\.hdf$/)
    const truth = await Promise.all(
      times.map((time) => readOdim(readFileSync(all.find((path) => path.includes(time))!))),
    )
    const bare = await Promise.all(radar.map((path) => readOdim(readFileSync(path))))
    const ratio = (cell: number, t: number) => bare[t].rateMmH[cell] / truth[t].rateMmH[cell]
    const { left, right, top, bottom, ncols, nrows } = truth[0].geometry
    const table = (name: string, cells: number[]): string => {
      const rows = cells.flatMap((cell, k) =>
        times.map((_, t) => {
          const px = left + ((cell % ncols) + 0.5) * ((right - left) / ncols)
          const py = top - (Math.floor(cell / ncols) + 0.5) * ((top - bottom) / nrows)
          return `${truth[t].datetime},P${k},${px},${py},${truth[t].rateMmH[cell]}`
        }),
      )
      const path = join(dir, name)
      writeFileSync(path, `time,id,x,y,mm/h\n${rows.join('\n')}\n`)
      return path
    }
    // Each radar of the composite has its own factor: over the whole field of one frame gauges show the spread, not
    // one number.
    const wetNow = [...truth[0].rateMmH.keys()].filter(
      (cell) => truth[0].rateMmH[cell] > 0.2 && bare[0].rateMmH[cell] > 0,
    )
    const some = wetNow.filter((_, i) => i % Math.ceil(wetNow.length / 400) === 0)
    const spread = await adjusted('rmi-all', [radar[0]], table('all.csv', some), [
      '--method',
      'mfb',
      '--cells',
      '1',
    ])
    expect(spread.scores.raw.ratio5).toBeCloseTo(0.4035, 3)
    expect(spread.scores.raw.ratio95).toBeCloseTo(0.8676, 3)
    // Ten gauges of all the field show it as well: no one number fits them.
    const few = await adjusted('rmi-few', [radar[0]], table('few.csv', tenOf(wetNow)), [
      '--method',
      'mfb',
      '--cells',
      '1',
    ])
    expect(few.scores.raw.pairs).toBe(10)
    expect(few.scores.raw.ratio5).toBeLessThan(0.42)
    expect(few.scores.raw.ratio95).toBeGreaterThan(0.85)
    // Ten inside one radar's plateau: its factor, in each of the four frames.
    let first = ''
    for (const [t, factor] of FACTORS.entries()) {
      const plateau = [...truth[t].rateMmH.keys()].filter(
        (cell) =>
          truth[t].rateMmH[cell] > 0.2 &&
          bare[t].rateMmH[cell] > 0 &&
          Math.abs(1 / ratio(cell, t) / factor - 1) < 0.004,
      )
      const gauges = table(`ten-${t}.csv`, tenOf(plateau))
      const { scores, out } = await adjusted(`rmi-ten-${t}`, [radar[t]], gauges, [
        '--method',
        'mfb',
        '--cells',
        '1',
      ])
      expect(scores.raw.pairs).toBe(10)
      expect(Math.abs(scores.factor / factor - 1)).toBeLessThan(0.05)
      const written = join(out, scores.frames[0])
      expect((await readOdim(readFileSync(written))).bias).toBeCloseTo(scores.factor, 12)
      first ||= written
    }
    // What is adjusted already is not adjusted again.
    const again = await main([
      'adjust',
      '--radar',
      first,
      '--gauges',
      join(dir, 'ten-0.csv'),
      '--method',
      'mfb',
      '--out',
      dir,
    ])
    expect(again).toBe(64)
  })
})
