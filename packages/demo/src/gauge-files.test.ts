import { gaugeFaults } from '@radx/rainfall/gauges/checks'
import { expect, test } from 'vitest'
import { Demo } from './demo.ts'
import { demoFault, gaugeFile } from './gauge-files.ts'
import { defaultSite } from './testing/site.ts'

const START = Date.parse('2026-10-14T00:00:00Z')
const STEP_MS = 300_000
const STEPS = 14 * 288

test('the gauge that clogs is told by the checks wherever it missed rain worth telling, and nowhere else', () => {
  const demo = new Demo(defaultSite)
  const clogged = defaultSite.gauges.filter(({ id }) => demoFault(defaultSite, id) === 'clogged')
  expect(clogged).toHaveLength(1)
  const [{ position, source }] = clogged
  if (source.format !== 'csv' || !source.gauge) throw new Error('it is one of a file of many gauges')
  const name = source.gauge.value
  const alone = { files: source.files, gauges: clogged }
  const { bytes } = gaugeFile(defaultSite, alone, demo.weather, START, STEPS * STEP_MS)
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  const readings = lines.filter((line) => line.split(';').includes(name))
  // A reading each five minutes, in order of time.
  expect(readings).toHaveLength(STEPS)
  const mm = Float64Array.from(readings, (line) => Number(line.split(';').at(-1)!.replace(',', '.')))

  const rain = (place: { lat: number; lng: number }) =>
    Float64Array.from(
      { length: STEPS },
      (_, i) => demo.weather.rateAt(place, START + (i + 0.5) * STEP_MS) / 12,
    )
  const radar = rain(position)
  const near = defaultSite.gauges.filter(
    ({ position: { lat, lng } }) => Math.hypot(lat - position.lat, lng - position.lng) < 0.3,
  )
  const neighbours = near
    .filter((gauge) => gauge !== clogged[0])
    .slice(0, 3)
    .map((gauge) => rain(gauge.position))
  const found = gaugeFaults({ mm, radar, radarMost: radar, neighbours }).filter(
    ({ fault }) => fault === 'clogged',
  )
  const sum = (values: Float64Array, from: number, to: number) =>
    values.subarray(from, to).reduce((total, v) => total + v, 0)
  for (const { from, to } of found) {
    expect(sum(mm, from, to)).toBe(0)
    expect(sum(radar, from, to)).toBeGreaterThan(0.5)
  }
  // Hours in which it read nothing while the radar had 1 mm: most of that rain lies in what was told.
  let [missed, told] = [0, 0]
  for (let hour = 0; hour + 12 <= STEPS; hour += 12) {
    if (sum(mm, hour, hour + 12) > 0 || sum(radar, hour, hour + 12) < 1) continue
    missed += sum(radar, hour, hour + 12)
    for (const { from, to } of found) told += sum(radar, Math.max(hour, from), Math.min(hour + 12, to))
  }
  expect(missed).toBeGreaterThan(5)
  expect(told).toBeGreaterThan(0.8 * missed)
})
