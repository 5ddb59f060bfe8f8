import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runNowcast } from '../../apps/server/src/nowcast/files/run.ts'
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
        leadsMin: [5, 30, 60, 90],
        thresholdsMmH: [0.1, 1, 5],
        issues: 'all',
        members: 1,
        seed: 1,
        window: { row: 450, col: 119, nrows: 200, ncols: 200 },
        fields: false,
        keepMembers: false,
      })
      for (const row of rows.filter(({ lead_min }) => lead_min <= 60)) {
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
        // Of 5 mm/h at 60 min it has 0.70: see docs/validation.md.
        for (const threshold of row.lead_min < 60 ? ['0.1', '1', '5'] : ['0.1', '1']) {
          const label = `${row.lead_min} min, ${threshold} mm/h`
          expect(row.frequency_bias[threshold]!, label).toBeGreaterThan(0.8)
          expect(row.frequency_bias[threshold]!, label).toBeLessThan(1.25)
        }
      }
      const at30 = rows.find(({ method, lead_min }) => method === 'sprog' && lead_min === 30)!
      expect(at30.csi['1']).toBeGreaterThan(0.417)
    } finally {
      await rm(out, { recursive: true, force: true })
    }
  },
  900_000,
)
