import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RainFrame } from '@radx/motion/field'
import { forecastLk, forecastSprog } from '@radx/motion/nowcast/sprog'
import { type NowcastStart, startNowcast } from '@radx/motion/nowcast/start'
import { frequencyBias } from '@radx/motion/scores/contingency'
import { addForecast, emptyScores } from '@radx/motion/scores/deterministic'
import { expect, test } from 'vitest'
import { openRainFiles } from '../../apps/server/src/nowcast/files/rain-files.ts'
import { runNowcast } from '../../apps/server/src/nowcast/files/run.ts'
import { motionKernel } from '../../apps/server/src/store/motion-kernel.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

interface Reference {
  window: string
  method: string
  lead_min: number
  'csi_0.1': number
  csi_1: number
  csi_5: number
  mae: number
}

/**
 * Short form: the leads 5, 30 and 60 of all 19 issues on 200 x 200 km round Paris, LK against the independent reference
 * and S-PROG against pysteps. The long form is in docs/validation.md.
 */
test.skipIf(!hasReferenceData())(
  'motion and S-PROG meet the independent scores of the RMI event',
  async () => {
    const folder = join(REFERENCE_DATA, 'radar-science')
    const pysteps: Reference[] = JSON.parse(await readFile(join(folder, 'pysteps-det-scores.json'), 'utf8'))
    const [head, ...lines] = (await readFile(join(folder, 'reference-nowcast-scores.csv'), 'utf8'))
      .trim()
      .split('\n')
    const names = head.split(',')
    const bar = lines.map((line) => {
      const cells = line.split(',')
      return Object.fromEntries(
        names.map((name, k) => [name, k < 2 ? cells[k] : Number(cells[k])]),
      ) as unknown as Reference
    })
    const of = (list: Reference[], method: string, lead: number) =>
      list.find((row) => row.window === 'paris200' && row.method === method && row.lead_min === lead)!
    const out = await mkdtemp(join(tmpdir(), 'radx-nowcast-'))
    try {
      const { rows } = await runNowcast({
        paths: [join(REFERENCE_DATA, 'odim/rmi-20210704')],
        out,
        methods: ['lk', 'sprog', 'sprog-trend'],
        leadsMin: [5, 30, 60],
        thresholdsMmH: [0.1, 1, 5],
        // As the reference has them: each has the 90 min after it.
        issues: Array.from({ length: 19 }, (_, k) =>
          new Date((960 + 5 * k) * 60_000).toISOString().slice(11, 16),
        ),
        members: 1,
        seed: 1,
        window: { row: 450, col: 119, nrows: 200, ncols: 200 },
        fields: false,
        keepMembers: false,
      })
      for (const row of rows) {
        const reference =
          row.method === 'lk' ? of(bar, 'lk', row.lead_min) : of(pysteps, 'sprog_cdf', row.lead_min)
        expect(row.issues).toBe(19)
        for (const threshold of ['0.1', '1', '5'] as const) {
          const off = row.csi[threshold]! - reference[`csi_${threshold}` as keyof Reference & `csi_${string}`]
          expect(off, `${row.method} ${row.lead_min} min, ${threshold} mm/h`).toBeGreaterThan(
            row.method === 'sprog-trend' ? -0.02 : -0.01,
          )
        }
        // With a trend S-PROG has as much heavy rain as there is, which costs MAE where its place is not known.
        expect(row.mae! / reference.mae).toBeLessThan(row.method === 'sprog-trend' ? 1.25 : 1.02)
        if (row.method !== 'sprog-trend') continue
        expect(row.csi['1']! - reference.csi_1, `${row.lead_min} min`).toBeGreaterThan(0)
        for (const threshold of ['0.1', '1', '5']) {
          const label = `${row.lead_min} min, ${threshold} mm/h`
          expect(row.frequency_bias[threshold]!, label).toBeGreaterThan(0.8)
          expect(row.frequency_bias[threshold]!, label).toBeLessThan(1.25)
        }
      }
    } finally {
      await rm(out, { recursive: true, force: true })
    }
  },
  900_000,
)

/** What was tuned was tuned on the twelve issues before. */
test.skipIf(!hasReferenceData())(
  'with a trend there is as much rain as came, light, moderate and heavy, on issues from 17:00 on',
  async () => {
    const series = await openRainFiles([join(REFERENCE_DATA, 'odim/rmi-20210704')])
    const { shape } = series
    const windows = [
      ['whole', { row: 0, col: 0, ...shape }],
      ['paris200', { row: 450, col: 119, nrows: 200, ncols: 200 }],
    ] as const
    const [thresholds, leads] = [
      [0.1, 1, 5],
      [15, 30, 45, 60],
    ]
    const sums = leads.map(() => windows.map(() => emptyScores(thresholds, [])))
    const frames: RainFrame[] = []
    for (let k = 0; k < series.timesMs.length; k++) frames.push(await series.frame(k))
    for (let at = 14; at <= 20; at++) {
      const before = frames.slice(at - 12, at + 1)
      const start = startNowcast(before, shape, motionKernel('follow')) as NowcastStart
      const moved = forecastLk(start, leads)
      const fields = forecastSprog(start, leads, { wasm: motionKernel('fft'), trend: true })
      leads.forEach((lead, l) => {
        const told = moved[l].map((rate, i) => (rate >= 0 && frames[at].rateMmH[i] >= 0 ? 1 : 0))
        const seen = frames[at + lead / 5].rateMmH
        windows.forEach(([, window], w) => {
          addForecast(sums[l][w], fields[l], seen, Uint8Array.from(told), shape.ncols, window)
        })
      })
    }
    for (const [l, lead] of leads.entries())
      for (const [w, [name]] of windows.entries())
        sums[l][w].tables.forEach((table, t) => {
          const label = `${name}, ${lead} min, ${thresholds[t]} mm/h`
          expect(frequencyBias(table), label).toBeGreaterThan(0.8)
          expect(frequencyBias(table), label).toBeLessThan(1.25)
        })
  },
  300_000,
)
