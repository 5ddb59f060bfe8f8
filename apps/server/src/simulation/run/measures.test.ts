import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { afterAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'
import { smallMeasures, writeSmallCatchment } from '../testing/small-catchment.ts'
import { OUTPUT } from './outputs.ts'
import { runSimulation } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-measures-'))
afterAll(() => rmSync(root, { recursive: true }))
const files = smallMeasures()
const catchment = await readCatchmentPackage(writeSmallCatchment(join(root, 'ouvrages'), files))
const rain = uniformRain([...new Array(30).fill(60), ...new Array(60).fill(0)], 60)
const both = { soil: true, drainage: true }

/** `measures.csv` as objects, numbers as numbers. */
function tableOf(dir: string): Record<string, string | number>[] {
  const [header, ...lines] = readFileSync(join(dir, OUTPUT.measures), 'utf8').trimEnd().split('\n')
  const names = header.split(',')
  return lines.map((line) =>
    Object.fromEntries(
      line
        .split(',')
        .map((text, k) => [names[k], Number.isNaN(Number(text)) || text === '' ? text : Number(text)]),
    ),
  )
}

describe('a run with measures that store', async () => {
  const outDir = join(root, 'avec')
  const { balance } = await runSimulation({ catchment, rain, options: both, outDir })
  const rows = tableOf(outDir)

  test('tells by measure where its water went, cells that touch being one', () => {
    expect(rows.map(({ name, cells, drain_to }) => [name, cells, drain_to])).toEqual([
      ['Maison 1', 2, 'surface'],
      ['Maison 2', 2, 'surface'],
      ['Jardin de pluie 1', 1, 'J-2'],
      ['Maison 3', 2, 'surface'],
      ['Jardin de pluie 2', 2, 'J-1'],
      ['Jardin de pluie 3', 1, 'J-2'],
      ['Noue végétalisée 1', 2, ''],
    ])
    for (const row of rows) {
      const n = (name: string) => row[name] as number
      expect(n('rain_m3')).toBeCloseTo(3 * n('cells'), 4)
      const given = n('rain_m3') + n('inflow_m3') + n('initial_m3')
      const gone =
        n('stored_m3') + n('infiltrated_m3') + n('evaporated_m3') + n('drained_m3') + n('overflow_m3')
      expect(Math.abs(given - gone)).toBeLessThan(1e-3)
      expect(Math.abs(n('balance_error_m3'))).toBeLessThan(1e-9)
      expect(n('kept_m3')).toBeGreaterThan(0)
    }
    expect(rows[4].inflow_m3).toBeGreaterThan(0)
    expect(rows[4].cost_eur).toBe(200 * 20)
    // A swale of 3 m through cells of 10 m.
    expect(rows[6].area_m2).toBe(60)
  })

  test('closes its balance, of which what measures hold is a part', () => {
    expect(Math.abs(balance.relativeError)).toBeLessThan(1e-9)
    const sum = (name: string) => rows.reduce((all, row) => all + (row[name] as number), 0)
    expect(balance.measuresStoredM3).toBeCloseTo(sum('stored_m3') - sum('initial_m3'), 2)
    expect(balance.measuresInfiltratedM3).toBeCloseTo(sum('infiltrated_m3'), 2)
    expect(balance.measuresEvaporatedM3).toBeCloseTo(sum('evaporated_m3'), 2)
    expect(balance.rainM3).toBeCloseTo(0.03 * 9500, 6)
    expect(readFileSync(join(outDir, OUTPUT.log), 'utf8')).toMatch(/Ouvrages de stockage : \d+ m³ de plus/)
  })

  test('is the same bytes on two threads', async () => {
    const threaded = join(root, 'deux')
    await runSimulation({ catchment, rain, options: both, outDir: threaded, threads: 2 })
    for (const name of readdirSync(outDir).filter((each) => each !== OUTPUT.run && each !== OUTPUT.log))
      expect(readFileSync(join(threaded, name)).equals(readFileSync(join(outDir, name))), name).toBe(true)
  })

  test('lets nothing into the ground without the soil module, and nothing into the sewer without drainage', async () => {
    const bare = join(root, 'sans')
    const { balance: without } = await runSimulation({
      ...{ catchment, rain, outDir: bare },
      options: { soil: false, drainage: false },
    })
    // Rounding of the units' own balance.
    expect(Math.abs(without.measuresInfiltratedM3!)).toBeLessThan(1e-12)
    expect(Math.abs(without.relativeError)).toBeLessThan(1e-9)
    expect(without.outfallM3).toBe(0)
    expect(new Set(tableOf(bare).map(({ drain_to }) => drain_to))).toEqual(new Set(['surface', '']))
  })

  test('sends less water over the ground and out of the sewer than the same town without', async () => {
    const plain = await readCatchmentPackage(writeSmallCatchment(join(root, 'petit')))
    const dir = join(root, 'nu')
    const { balance: before } = await runSimulation({ catchment: plain, rain, options: both, outDir: dir })
    const out = (each: typeof balance) => each.surfaceM3 + each.edgeOutM3 + each.outfallM3
    expect(out(balance)).toBeLessThan(out(before))
    expect(readdirSync(dir)).not.toContain(OUTPUT.measures)
    expect(Object.keys(before).some((name) => name.startsWith('measures'))).toBe(false)
  })
})
