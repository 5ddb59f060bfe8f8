import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CatchmentPackage, readCatchmentPackage } from '../catchment/catchment-package.ts'
import { writeSmallCatchment } from '../testing/small-catchment.ts'
import { twinErrors, twinTask } from '../testing/twin.ts'
import { observedSeries } from './align.ts'
import { calibrate, type KeptTrial } from './fit.ts'
import { decodeTrial, encodeTrial } from './journal.ts'
import { packRain, unpackRain } from './packed-rain.ts'
import { valueBefore, withParameters } from './parameters.ts'
import { checkUnit, readObserved } from './read-observed.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-calibration-'))
let small: CatchmentPackage
beforeAll(async () => {
  small = await readCatchmentPackage(writeSmallCatchment(join(dir, 'small')))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe('a twin experiment', () => {
  test('finds parameters of a truth on finer cells, seen through noise, within 15 %', {
    timeout: 240_000,
  }, async () => {
    const task = await twinTask(dir, {
      truthCellM: 5,
      cellM: 10,
      noise: 0.05,
      runs: 100,
      seed: 1,
      threads: 2,
    })
    const kept: KeptTrial[] = []
    const { result, values } = await calibrate(task, { keep: (trials) => void kept.push(...trials) })
    for (const error of twinErrors(values)) expect(Math.abs(error)).toBeLessThan(0.15)
    expect(result.after.validation!).toBeGreaterThan(result.before.validation!)
    expect(result.warnings.filter((text) => text.includes('dégrade'))).toEqual([])
    expect(result.scores.every(({ after }) => after!.missing > 0)).toBe(true)

    // Broken off in the middle of a lot, kept as text, gone on with by one thread: the same to the bit.
    const known = kept.slice(0, 91).map((trial) => decodeTrial(encodeTrial(trial)))
    const again = await calibrate({ ...task, threads: 1 }, { known })
    expect(again.values).toEqual(values)
    expect(again.result).toEqual(result)
  })

  test('a fit that spoils the validation says so', { timeout: 120_000 }, async () => {
    const task = await twinTask(dir, { truthCellM: 10, cellM: 10, noise: 0, runs: 20, seed: 2, threads: 2 })
    const [long, short, witness] = task.events
    // What was measured at the other event was measured with no gardens: half the water.
    const half = (event: typeof long) => ({
      ...event,
      series: event.series.map((one) => ({ ...one, values: one.values.map((value) => value / 2) })),
    })
    const asIs = await calibrate({ ...task, events: [half(long), half(short), witness] })
    expect(asIs.result.after.validation!).toBeLessThan(asIs.result.before.validation!)
    expect(asIs.result.warnings[0]).toMatch(/Le calage dégrade la validation/)
    const alone = await calibrate({ ...task, events: [long] })
    expect(alone.result.warnings[0]).toMatch(/Aucun épisode de validation/)
  })

  test('stops when it is told to, and refuses what cannot be scored', { timeout: 60_000 }, async () => {
    const task = await twinTask(dir, { truthCellM: 10, cellM: 10, noise: 0, runs: 40, seed: 3, threads: 1 })
    const stop = new AbortController()
    const going = calibrate(task, { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) })
    await expect(going).rejects.toThrow('stopped')
    const blind = task.events.map((event) => ({
      ...event,
      series: event.series.map((one) => ({ ...one, values: one.values.map(() => Number.NaN) })),
    }))
    await expect(calibrate({ ...task, events: blind })).rejects.toThrow(/Aucune série mesurée/)
  })
})

describe('parameters', () => {
  test('change what they name and nothing else', () => {
    const parts = { catchment: small, classes: small.classes }
    const of = (code: number, classes = parts.classes) => classes.find((entry) => entry.code === code)!
    const changed = withParameters(parts, [
      { kind: 'roughness', code: 2, value: 0.03 },
      { kind: 'kh', value: 2 },
      { kind: 'imperviousness', code: 3, value: 0.25 },
      { kind: 'gullyEfficiency', value: 0.5 },
      { kind: 'sewerRoughness', value: 1.5 },
    ])
    expect(of(2, [...changed.classes])).toMatchObject({ nmanningov: 0.03, kh: 0 })
    expect(of(3, [...changed.classes]).kh).toBeCloseTo(of(3).kh * 1.5, 15)
    expect(of(3, [...changed.classes]).soilmd).toBeCloseTo(of(3).soilmd * 0.75, 12)
    expect(of(1, [...changed.classes]).kh).toBeCloseTo(of(1).kh * 2, 15)
    expect(changed.catchment.gullies.map(({ efficiency }) => efficiency)).toEqual([0.5, 0.5])
    expect(changed.catchment.network.links[0]).toMatchObject({ roughness: expect.closeTo(0.0195, 9) })
    expect(small.network.links[0]).toMatchObject({ roughness: 0.013 })
  })

  test.each([
    [{ kind: 'kh' as const, code: 99 }, /Codes possibles/],
    [{ kind: 'roughness' as const, code: 6 }, /eau/],
    [{ kind: 'imperviousness' as const, code: 2 }, /kh vaut 0/],
  ])('refuses what would change nothing: %o', (named, message) => {
    const parts = { catchment: small, classes: small.classes }
    expect(() => valueBefore(named, parts, { soil: true, drainage: true })).toThrow(message)
  })

  test('says which module they need', () => {
    const parts = { catchment: small, classes: small.classes }
    const off = { soil: false, drainage: false }
    expect(() => valueBefore({ kind: 'kh' }, parts, off)).toThrow(/module de sol/)
    expect(() => valueBefore({ kind: 'gullyEfficiency' }, parts, off)).toThrow(/module de drainage/)
  })
})

describe('measured series', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const read = (text: string, zone?: string) => readObserved(bytes(text), 'q.csv', zone)

  test('are read as French spreadsheets write them', () => {
    const table = read(
      'Date;Heure;Débit (l/s);Hauteur [cm]\r\n01/07/2026;14:05;1 234,5;12\n01/07/2026;14:10;;n/a\r',
      'Europe/Paris',
    )
    expect([...table.times]).toEqual([Date.UTC(2026, 6, 1, 12, 5), Date.UTC(2026, 6, 1, 12, 10)])
    expect(table.columns).toMatchObject([
      { unit: 'l/s', quantity: 'flow', missing: 1 },
      { unit: 'cm', quantity: 'depth', missing: 1 },
    ])
    expect([...table.columns[0].values]).toEqual([1234.5, Number.NaN])
  })

  test('have the offset that they say, else that of the zone, in any order, each instant once', () => {
    const table = read(
      'date,niveau (m NGF)\n2026-01-01T01:00Z,2\n2026-01-01T00:30+01:00,1\n2026-01-01T01:00Z,3\n',
      '+02:00',
    )
    expect([...table.times]).toEqual([Date.UTC(2025, 11, 31, 23, 30), Date.UTC(2026, 0, 1, 1)])
    expect([...table.columns[0].values]).toEqual([1, 3])
    expect(table.columns[0]).toMatchObject({ unit: 'm', quantity: 'level' })
    expect(table.remarksFr).toHaveLength(1)
  })

  test('the hour that comes twice in autumn goes on in the order of the file', () => {
    const table = read(
      'date;q m3/s\n25/10/2026 02:30;1\n25/10/2026 02:30;2\n'.replace('02:30;2', '02:45;2'),
      'Europe/Paris',
    )
    expect(table.times[1] - table.times[0]).toBe(15 * 60_000)
  })

  test.each([
    ['q\n1\n', /aucune colonne de temps/],
    ['date\n2026-01-01\n', /aucune colonne de mesures/],
    ['date;q l/s\n45658,5;1\n', /format date/],
    ['date;q l/s\nhier;1\n', /n’est pas une date/],
    ['date;q l/s\n2026-01-01 00:00;beaucoup\n', /n’est pas un nombre/],
    ['date,q l/s\n2026-01-01 00:00,1,5\n', /virgules décimales/],
    ['date;q l/s\n', /au moins une mesure/],
  ])('refuses %j with line and remedy', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('refuses zones and units that there are not', () => {
    expect(() => read('date;q l/s\n2026-01-01 00:00;1\n', 'Mars/Olympus')).toThrow(/Fuseau horaire/)
    expect(() => checkUnit('l/s', 'depth')).toThrow(/d’une hauteur/)
  })

  test('lie at their place: levels above its bottom, only what falls into the event, and only the stated period', () => {
    const startMs = Date.UTC(2026, 0, 1)
    const times = [-60, 0, 60, 120, 180, 240].map((s) => startMs + s * 1000)
    const series = observedSeries(
      {
        name: 'J-1',
        place: { kind: 'node', name: 'J-1' },
        quantity: 'level',
        unit: 'cm',
        times,
        isRelative: false,
        values: [0, 2830, 2840, 2850, 2860, 2870],
        fromMs: startMs + 60_000,
        toMs: startMs + 120_000,
      },
      { catchment: small, startMs, durationS: 200 },
    )
    expect([...series.timesS]).toEqual([0, 60, 120, 180])
    expect([...series.values]).toEqual([
      Number.NaN,
      expect.closeTo(0.2, 9),
      expect.closeTo(0.3, 9),
      Number.NaN,
    ])
  })

  test.each([
    [{ kind: 'node' as const, name: 'X' }, 'depth' as const, /pas un nœud/],
    [{ kind: 'node' as const, name: 'J-1' }, 'flow' as const, /tronçon/],
    [{ kind: 'street' as const, name: 'rue X' }, 'depth' as const, /streets.geojson/],
    [{ kind: 'point' as const, x: 0, y: 0 }, 'depth' as const, /hors du bassin/],
  ])('refuses a place that there is not: %o', (place, quantity, message) => {
    const span = { catchment: small, startMs: 0, durationS: 1 }
    const unit = quantity === 'flow' ? ('m3/s' as const) : ('m' as const)
    const series = { name: 'x', place, quantity, unit, times: [], isRelative: true, values: [] }
    expect(() => observedSeries(series, span)).toThrow(message)
  })
})

test('a packed rain is the rain, with cells of one course together', () => {
  const rates = [Float64Array.of(1, 1, 2, 2), 0, Float64Array.of(3, 3, 3, 4)]
  const edgesS = Float64Array.of(0, 60, 120, 180)
  const packed = packRain({ durationS: 180, intervalS: 60, edgesS, rateMS: (k) => rates[k] })
  const back = unpackRain(packed)
  for (const [k, rate] of rates.entries()) {
    const found = back.rateMS(k)
    expect(typeof found === 'number' ? found : [...found]).toEqual(
      typeof rate === 'number' ? rate : [...rate],
    )
  }
  expect((packed.ratesMS[0] as Float64Array).length).toBe(3)
})
