import { Demo } from '@radx/demo'
import { describe, expect, test } from 'vitest'
import { smallSite } from '../testing/small-site.ts'
import { demoPlan, type Known, missingItems, mrrFileName, restShare } from './plan.ts'

const NOW = Date.parse('2026-06-15T09:30:00Z')
const HOUR = 3_600_000
const site = smallSite({
  events: [
    {
      id: 'ev7',
      title: 'Événement 7',
      product: 'dpsri',
      start: '2018-01-15T23:00:00Z',
      end: '2018-01-16T05:50:00Z',
      intervalMinutes: 5,
      durationHours: 7,
    },
  ],
})
const nothing: Known = {
  frames: async () => new Set(),
  stationHours: async () => new Set(),
  files: async () => new Set(),
}

describe('plan of the demonstration', () => {
  const steps = demoPlan(site, NOW)

  test('the last 4 hours of the default product come first, then the station, then the other product', () => {
    expect(
      steps
        .slice(0, 4)
        .map(({ name, products, station, background }) => [name, products, station, background]),
    ).toEqual([
      ['direct', ['dpsri'], false, false],
      ['station et micro radar', [], true, false],
      ['autres produits', ['sri'], false, false],
      ['évènement ev7', ['dpsri'], true, true],
    ])
    expect(steps.slice(0, 3).every(({ fromMs, toMs }) => fromMs === NOW - 4 * HOUR && toMs === NOW)).toBe(
      true,
    )
  })

  test('then the 30 days before are filled, newest day first, without a hole', () => {
    const days = steps.slice(4)
    expect(days[0]).toMatchObject({ name: '2026-06-15', toMs: NOW, background: true })
    expect(days.at(-1)!.fromMs).toBe(NOW - 30 * 24 * HOUR)
    for (const [k, day] of days.slice(1).entries()) expect(day.toMs).toBe(days[k].fromMs)
  })

  test('what is stored is not written again', async () => {
    const demo = new Demo(site)
    const [live, station] = steps
    const all = await missingItems(demo, live, nothing)
    expect(all.length).toBeGreaterThan(60)
    const instants = all.map((item) => (item.kind === 'radar' ? item.instantMs : 0))
    expect(instants).toEqual([...instants].sort((a, b) => b - a))
    const half = new Set(instants.filter((_, k) => k % 2 === 0))
    const rest = await missingItems(demo, live, { ...nothing, frames: async () => half })
    expect(rest.map((item) => (item.kind === 'radar' ? item.instantMs : 0))).toEqual(
      instants.filter((_, k) => k % 2 === 1),
    )
    const hours = await missingItems(demo, station, nothing)
    expect(hours).toHaveLength(4)
    const stored = new Set([Date.parse('2026-06-15T09:00:00Z')])
    expect(await missingItems(demo, station, { ...nothing, stationHours: async () => stored })).toHaveLength(
      3,
    )
  })

  test('files of the micro rain radar are known by their names', async () => {
    const withMrr = smallSite({ microRainRadar: { name: 'MRR', position: { lat: 48.5, lng: 2.5 } } })
    const demo = new Demo(withMrr)
    const step = demoPlan(withMrr, NOW)[1]
    const items = (await missingItems(demo, step, nothing)).filter(({ kind }) => kind === 'mrr')
    expect(items).toHaveLength(24)
    const first = items[0].kind === 'mrr' ? items[0].startMs : 0
    expect(mrrFileName(first)).toBe('20260615_092000.nc')
    expect((await demo.microRainRadarFile(first)).name).toBe(mrrFileName(first))
    const known = { ...nothing, files: async (names: string[]) => new Set(names.slice(0, 20)) }
    expect((await missingItems(demo, step, known)).filter(({ kind }) => kind === 'mrr')).toHaveLength(4)
  })
})

test('filling days long past works at most half of the time, and a quarter where the machine has other work', () => {
  expect([restShare(0, 2), restShare(1.2, 2), restShare(2.5, 2)]).toEqual([1, 1, 3])
})
