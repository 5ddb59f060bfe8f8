import { readRainbowProduct } from '@radx/formats/rainbow5/product'
import { cellIndexOf, UnknownProductError } from '@radx/rainfall/grid'
import { describe, expect, test } from 'vitest'
import { Demo } from './demo.ts'
import { defaultSite, otherSite } from './testing/site.ts'

const ev7 = defaultSite.events[0]
const start = Date.parse(ev7.start)
const end = Date.parse(ev7.end)

describe('frames of the demonstration', () => {
  test('same arguments give the same bytes, whatever was computed before', () => {
    const one = new Demo(defaultSite)
    const other = new Demo(defaultSite)
    const instants = one.radarInstants('dpsri', start, end)
    const first = one.radarFile('dpsri', instants[40])
    other.radarFile('sri', instants[3])
    other.rateField('dpsri', instants[90])
    const second = other.radarFile('dpsri', instants[40])
    expect(second.name).toBe(first.name)
    expect(Buffer.compare(second.bytes, first.bytes)).toBe(0)
    const elsewhere = new Demo(defaultSite, { seed: 1 }).rateField('dpsri', instants[40])
    expect(elsewhere).not.toEqual(one.rateField('dpsri', instants[40]))
  })

  test('a file reads back to the values that were written, within half a code step', () => {
    const demo = new Demo(defaultSite)
    const instant = demo.radarInstants('dpsri', start + 3.5 * 3_600_000, end)[0]
    const field = demo.rateField('dpsri', instant)
    const { name, bytes } = demo.radarFile('dpsri', instant)
    expect(name).toMatch(/^20180116\d{6}00dpsri\.dpsri$/)
    const read = readRainbowProduct(bytes)
    expect(Date.parse(read.datetime)).toBe(instant)
    expect(read.corners).toEqual({ latUl: 49.29013, lonUl: 1.899286, latLr: 48.390853, lonLr: 3.2779 })
    let worstDb = 0
    let wet = 0
    let unseen = 0
    for (let i = 0; i < field.length; i++) {
      expect(Number.isNaN(read.rateMmH[i])).toBe(Number.isNaN(field[i]))
      if (Number.isNaN(field[i])) unseen++
      else if (field[i] > 0) {
        wet++
        worstDb = Math.max(worstDb, Math.abs(10 * Math.log10(read.rateMmH[i] / field[i])))
      } else expect(read.rateMmH[i]).toBe(0)
    }
    expect(wet).toBeGreaterThan(10_000)
    expect(unseen).toBeGreaterThan(200)
    expect(worstDb).toBeLessThanOrEqual(0.25 + 1e-4)
  })

  test('cells beyond the range and behind obstacles have no data, the radar itself has', () => {
    const demo = new Demo(defaultSite)
    const sri = demo.rateField('sri', start)
    expect(sri[0]).toBeNaN()
    expect(sri[cellIndexOf(defaultSite.products[1], defaultSite.radar.position)]).not.toBeNaN()
    const share = sri.reduce((n, v) => n + (Number.isNaN(v) ? 1 : 0), 0) / sri.length
    expect(share).toBeGreaterThan(0.15)
    expect(share).toBeLessThan(0.3)
  })

  test('both products see the same rain at the same place', () => {
    const demo = new Demo(defaultSite)
    const instant = start + 4 * 3_600_000
    const [dpsri, sri] = defaultSite.products
    const fine = demo.rateField('dpsri', instant)
    const coarse = demo.rateField('sri', instant)
    let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0]
    for (let lat = 48.5; lat < 49.2; lat += 0.02)
      for (let lng = 2; lng < 3.2; lng += 0.02) {
        const a = fine[cellIndexOf(dpsri, { lat, lng })]
        const b = coarse[cellIndexOf(sri, { lat, lng })]
        if (Number.isNaN(a) || Number.isNaN(b)) continue
        n++
        sa += a
        sb += b
        saa += a * a
        sbb += b * b
        sab += a * b
      }
    const correlation = (n * sab - sa * sb) / Math.sqrt((n * saa - sa * sa) * (n * sbb - sb * sb))
    expect(correlation).toBeGreaterThan(0.95)
    expect(demo.weather.rateAt(defaultSite.radar.position, instant)).toBeGreaterThanOrEqual(0)
  })

  test('ev7 brings winter rain over Melun, 10 to 25 mm', () => {
    const demo = new Demo(defaultSite)
    const instants = demo.radarInstants('dpsri', start, end)
    // Nothing is missing during an event.
    expect(instants).toHaveLength(Math.floor(end / 206_000) - Math.floor(start / 206_000))
    let depthMm = 0
    let wet = 0
    for (const instant of instants) {
      const rate = demo.weather.rateAt({ lat: 48.54, lng: 2.66 }, instant)
      depthMm += (rate * 206) / 3600
      if (rate > 0.1) wet++
    }
    expect(depthMm).toBeGreaterThan(10)
    expect(depthMm).toBeLessThan(25)
    expect(wet / instants.length).toBeGreaterThan(0.7)
  })

  test('another site gets weather of its own on its own grid', () => {
    const demo = new Demo(otherSite)
    const instants = demo.radarInstants('boxpol', start, end)
    expect(instants.every((t) => t % 300_000 === 0)).toBe(true)
    expect(demo.rateField('boxpol', instants[0])).toHaveLength(10_000)
    expect(demo.radarFile('boxpol', instants[0]).name).toMatch(/boxpol\.boxpol$/)
    expect(() => demo.rateField('dpsri', start)).toThrow(UnknownProductError)
  })
})

describe('schedule', () => {
  const demo = new Demo(defaultSite)
  const from = Date.UTC(2025, 2, 1)
  const days = 40
  const to = from + days * 86_400_000

  test('instants are multiples of 206 s, the same whatever the period asked for', () => {
    const all = demo.radarInstants('dpsri', from, to)
    expect(all.every((t) => t % 206_000 === 0)).toBe(true)
    const parts: number[] = []
    for (let t = from; t < to; t += 7_777_777)
      parts.push(...demo.radarInstants('dpsri', t, Math.min(to, t + 7_777_777)))
    expect(parts).toEqual(all)
    expect(demo.radarInstants('sri', from, to)).toEqual(all)
  })

  test('a few frames are missing, one by one and in outages of 40 min', () => {
    const all = demo.radarInstants('dpsri', from, to)
    const full = (days * 86_400) / 206
    expect(all.length / full).toBeGreaterThan(0.985)
    expect(all.length / full).toBeLessThan(0.999)
    const gaps = all.slice(1).map((t, i) => (t - all[i]) / 60_000)
    expect(gaps.filter((g) => g > 3.5 && g < 8).length).toBeGreaterThan(10)
    const outages = gaps.filter((g) => g > 30)
    expect(outages.length).toBeGreaterThan(0)
    expect(outages.length).toBeLessThan(10)
    expect(Math.max(...outages)).toBeLessThan(55)
  })
})
