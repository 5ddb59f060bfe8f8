import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readInp } from '@radx/formats/inp/read'
import { createRunoff, type Runoff } from '@radx/hydrology/runoff/runoff'
import { describe, expect, test } from 'vitest'
import { simulate } from '../../apps/server/src/networks/model/simulate.ts'
import { quantile } from '../../tools/swmm/compare.ts'
import { runCompleteModel } from '../../tools/swmm/complete.ts'
import { runEpa } from '../../tools/swmm/epa.ts'
import { reportTable } from '../../tools/swmm/report-table.ts'
import { randomInletModel } from './inlet-model.ts'
import { hasReferenceData, referenceFiles } from './reference-data.ts'
import { randomRunoffModel } from './runoff-model.ts'

function runoffOf(inp: string | Uint8Array): { run: Runoff; depthM: number; flow: number } {
  const { network, runoff, units } = readInp(inp, { runoff: true })
  if (!runoff) throw new Error('no runoff')
  const run = createRunoff(runoff, network.nodes.length)
  while (run.timeS < runoff.durationS - 1e-6) run.step(runoff.durationS)
  return { run, depthM: units.us ? 0.0254 : 0.001, flow: units.flowFactor }
}

/** Runoff depth and peak of each subcatchment in the file's units, ours and EPA SWMM's with the depth of its rain. */
function pairs({ run, depthM, flow }: ReturnType<typeof runoffOf>, report: string) {
  const table = reportTable(report, 'Subcatchment Runoff Summary')
  return run.subcatchments.map(({ input, totals }) => {
    const row = table.get(input.name)
    if (!row) throw new Error(`no ${input.name} in the report`)
    return {
      name: input.name,
      rain: row[0] + row[1],
      depth: { theirs: row[6], ours: totals.rated / input.areaM2 / depthM },
      infiltration: { theirs: row[3], ours: totals.infiltration / input.areaM2 / depthM },
      peak: { theirs: row[8], ours: totals.peak / flow },
    }
  })
}

const percent = ({ theirs, ours }: { theirs: number; ours: number }) => Math.abs(ours / theirs - 1) * 100
const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]

describe('random subcatchments beside EPA SWMM', () => {
  test.each([11, 12])(
    'every infiltration method and way of routing, seed %i',
    async (seed) => {
      const inp = randomRunoffModel(seed, 40, false)
      const { report } = await runEpa(inp)
      const ours = runoffOf(inp)
      // Volumes within 0.2 % of the water, peaks within 1.5 %.
      for (const { depth, infiltration, peak, rain } of pairs(ours, report)) {
        expect(Math.abs(depth.ours - depth.theirs)).toBeLessThan(0.002 * rain + 0.02)
        expect(Math.abs(infiltration.ours - infiltration.theirs)).toBeLessThan(0.003 * rain + 0.02)
        expect(Math.abs(peak.ours - peak.theirs)).toBeLessThan(0.015 * peak.theirs + 0.02)
      }
      expect(middle(pairs(ours, report).map(({ peak }) => percent(peak)))).toBeLessThan(0.3)
    },
    60_000,
  )

  test.each([12, 14])(
    'every kind of measure, seed %i',
    async (seed) => {
      const inp = randomRunoffModel(seed, 24, true)
      const { report } = await runEpa(inp)
      const { run, depthM } = runoffOf(inp)
      const table = reportTable(report, 'LID Performance Summary', 2)
      let compared = 0
      for (const { input, measures } of run.subcatchments)
        for (const { design, totals } of measures) {
          const row = table.get(`${input.name} ${design.name}`) ?? []
          // Where its own balance is off by more, EPA SWMM is no measure.
          if (Math.abs(row[7]) > 0.5) continue
          // Within 1 % of what comes in.
          const { inflow, evaporation, seepage, outflow, drain } = totals
          for (const [k, value] of [inflow, evaporation, seepage, outflow, drain].entries())
            expect(Math.abs(value / depthM - row[k])).toBeLessThan(0.01 * row[0] + 0.05)
          compared++
        }
      expect(compared).toBeGreaterThan(18)
    },
    60_000,
  )
})

describe('random models by themselves', () => {
  /** Subcatchments with measures, some of which drain onto the one before. */
  const chained = (seed: number, wetStep: string) =>
    randomRunoffModel(seed, 16, true)
      .replace('WET_STEP 00:01:00', `WET_STEP ${wetStep}`)
      .replace(/^(S(\d+) R) J1/gm, (line, begin, k) => (k % 3 === 2 ? `${begin} S${k - 1}` : line))

  test.each([21, 22, 23, 24, 25])(
    'keep their water and come to one answer as steps shrink, seed %i',
    (seed) => {
      const depths = ['00:05:00', '00:01:00', '00:00:15'].map((wetStep) => {
        const { run } = runoffOf(chained(seed, wetStep))
        const { error, rain, initial } = run.totals()
        expect(Math.abs(error)).toBeLessThan(1e-9 * (rain + initial))
        return run.subcatchments.map(({ totals, input }) => totals.runoff / input.areaM2)
      })
      const off = (a: number[], b: number[]) => a.reduce((sum, depth, i) => sum + Math.abs(depth - b[i]), 0)
      const rain = runoffOf(chained(seed, '00:05:00')).run.totals().rain
      expect(rain).toBeGreaterThan(0)
      const [coarse, fine] = [off(depths[0], depths[2]), off(depths[1], depths[2])]
      expect(fine).toBeLessThan(0.5 * coarse)
      expect(fine).toBeLessThan(0.005 * depths[2].reduce((sum, depth) => sum + depth, 0))
    },
  )
})

test('street inlets take what EPA SWMM’s do, at the peak within a point and into the pipe within 1 %', async () => {
  const inp = randomInletModel(32)
  const theirs = await runEpa(inp)
  const table = reportTable(theirs.report, 'Street Flow Summary')
  const { inlets, peaks, sewer } = await simulate(readInp(inp, { inlets: true }), {})
  const { links } = sewer.network
  const taken = (inlets?.figures ?? []).map(({ input, peakShare }) => {
    const street = links[input.link].name
    const pipe = street.replace('A', 'C')
    return {
      street,
      // Drops in channels have no row there.
      percent: { theirs: table.get(street)?.[6] ?? 100 * peakShare, ours: 100 * peakShare },
      into: {
        theirs: Math.max(...theirs.linkSeries(theirs.links.indexOf(pipe), 'flow')),
        ours: peaks.link.maxAbsFlow[links.findIndex(({ name }) => name === pipe)],
      },
    }
  })
  expect(taken).toHaveLength(16)
  const off = taken.filter(
    ({ percent: share, into }) => Math.abs(share.ours - share.theirs) > 1 || percent(into) > 1,
  )
  expect(off).toEqual([])
}, 60_000)

test('evaporation by temperature is EPA SWMM’s of each day', async () => {
  const day = (k: number) => new Date(Date.UTC(2024, 1, 1 + k))
  const climate = Array.from({ length: 120 }, (_, k) => {
    const [max, min] = [8 + 0.15 * k + 6 * Math.sin(k / 3), 1 + 0.1 * k + 3 * Math.cos(k / 5)]
    const values = k % 17 === 5 ? '* *' : `${max.toFixed(1)} ${min.toFixed(1)}`
    return `S ${day(k).getUTCFullYear()} ${day(k).getUTCMonth() + 1} ${day(k).getUTCDate()} ${values} * *`
  }).join('\n')
  const inp = randomRunoffModel(41, 1, false)
    .replace('START_DATE 06/01/2024', 'START_DATE 02/01/2024')
    .replace('END_DATE 06/03/2024', 'END_DATE 05/30/2024')
    .replace('REPORT_STEP 00:05:00', 'REPORT_STEP 06:00:00')
    .replace(/^CONSTANT .*$/m, 'TEMPERATURE')
    .replace(
      '[RAINGAGES]',
      '[TEMPERATURE]\nFILE "c.dat"\nWINDSPEED MONTHLY 0 0 0 0 0 0 0 0 0 0 0 0\nSNOWMELT 0 0.5 0.6 100 48.8 0\n[RAINGAGES]',
    )
  const theirs = (await runEpa(inp, { 'c.dat': climate })).evaporationSeries()
  const { runoff } = readInp(inp, { runoff: true, readFile: () => climate })
  if (runoff?.evaporation.type !== 'series') throw new Error('no series')
  const ours = runoff.evaporation.rates.map((rate) => rate * 86_400_000)
  // Four values a day, in single precision.
  expect(theirs.length).toBeGreaterThan(4 * 118)
  theirs.forEach((mm, k) => {
    expect([k, Math.abs(ours[Math.floor(k / 4)] - mm)]).toEqual([k, expect.closeTo(0, 5)])
  })
})

describe.skipIf(!hasReferenceData())('whole models beside EPA SWMM', () => {
  const CLEAN = ['bioretention', 'manual_example1', 'porous_pavement', 'rain_garden']
  const files = hasReferenceData()
    ? referenceFiles('sewer/complete', /^[^.]+$/).map(
        (folder) => [basename(folder), join(folder, `${basename(folder)}.inp`)] as const,
      )
    : []

  test.each(files.filter(([name]) => CLEAN.includes(name)))(
    '%s: volumes and peaks of subcatchments within 0.5 % of EPA SWMM, measures within 2 %',
    async (_, path) => {
      const inp = readFileSync(path, 'latin1').replace(/^ *\[OPTIONS\].*$/im, '[OPTIONS]\nIGNORE_ROUTING YES')
      const { report } = await runEpa(inp)
      const ours = runoffOf(inp)
      for (const { depth, peak } of pairs(ours, report)) {
        expect(Math.abs(depth.ours - depth.theirs)).toBeLessThan(0.005 * depth.theirs + 0.006)
        expect(Math.abs(peak.ours - peak.theirs)).toBeLessThan(0.005 * peak.theirs + 0.006)
      }
      const table = reportTable(report, 'LID Performance Summary', 2)
      for (const { input, measures } of ours.run.subcatchments)
        for (const { design, totals } of measures) {
          const row = table.get(`${input.name} ${design.name}`) ?? []
          const { inflow, evaporation, seepage, outflow, drain } = totals
          for (const [k, value] of [inflow, evaporation, seepage, outflow, drain].entries())
            expect(Math.abs(value / ours.depthM - row[k])).toBeLessThan(0.02 * row[0] + 0.006)
        }
    },
    120_000,
  )

  // Groundwater, kinematic wave, and EPA SWMM's own runoff that is off by 15 %: those run, and say what they leave out.
  const WHOLE = ['lid_suds', 'manual_example4_lid', 'pystorms_alpha_full', 'runoff_cn', 'user1_full']

  test.each(files.filter(([name]) => WHOLE.includes(name)))(
    '%s from end to end: links, courses and volumes within the bounds of networks alone',
    async (name, path) => {
      const { volumes, peaks, measures, open, full, disagree, nash, flooded, outfall } =
        await runCompleteModel(dirname(dirname(path)), name)
      expect(volumes.length).toBeGreaterThan(5)
      expect([Math.max(...volumes) <= 0.5, Math.max(...peaks) <= 0.5]).toEqual([true, true])
      for (const measure of measures) expect(measure).toBeLessThanOrEqual(2)
      expect(open.length).toBeGreaterThan(5 * disagree)
      expect([quantile(open, 0.5) <= 0.3, quantile(open, 0.95) <= 2]).toEqual([true, true])
      if (full.length > 0) expect([quantile(full, 0.5) <= 1, quantile(full, 0.95) <= 8]).toEqual([true, true])
      expect(nash.length).toBeGreaterThanOrEqual(10)
      expect(Math.min(...nash)).toBeGreaterThan(0.99)
      expect([flooded < 1, outfall < 1]).toEqual([true, true])
    },
    120_000,
  )

  test.each(files)('%s keeps its water', (_, path) => {
    const { run } = runoffOf(readFileSync(path))
    const { error, rain, initial } = run.totals()
    expect(Math.abs(error)).toBeLessThan(1e-9 * (rain + initial))
  })
})
