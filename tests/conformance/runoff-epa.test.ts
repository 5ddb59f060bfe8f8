import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readInp } from '@radx/formats/inp/read'
import { createRunoff, type Runoff } from '@radx/hydrology/runoff/runoff'
import { describe, expect, test } from 'vitest'
import { runEpa } from '../../tools/swmm/epa.ts'
import { hasReferenceData, referenceFiles } from './reference-data.ts'
import { randomRunoffModel, reportTable } from './runoff-model.ts'

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

describe.skipIf(!hasReferenceData())('whole models beside EPA SWMM', () => {
  const CLEAN = [
    'manual_example1',
    'user1_full',
    'manual_example4_lid',
    'pystorms_alpha_full',
    'runoff_cn',
    'lid_suds',
    'bioretention',
    'porous_pavement',
    'rain_garden',
  ]
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

  test.each(files)('%s keeps its water', (_, path) => {
    const { run } = runoffOf(readFileSync(path))
    const { error, rain, initial } = run.totals()
    expect(Math.abs(error)).toBeLessThan(1e-9 * (rain + initial))
  })
})
