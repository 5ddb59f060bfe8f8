import { readInp } from '@radx/formats/inp/read'
import type { RadarRainFrame } from '@radx/hydrology/rain/rain'
import type { ProductGrid } from '@radx/rainfall'
import { expect, test } from 'vitest'
import { placeRain } from './placed-rain.ts'
import { isPlaced, rainPlaces } from './rain-places.ts'

/** Ten cells of 0.1 degrees a side, rows from 49 degrees north. */
const GRID: ProductGrid = {
  bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } },
  steps: 10,
}
const cell = (row: number, col: number) => row * 10 + col

/**
 * One over two cells, one over nothing but a corner outside the image, one known by its outlet, one that drains to that one, one
 * known by nothing, and one that is outside.
 */
const model = (map = '[MAP]\nUNITS Degrees\n') =>
  readInp(
    `[OPTIONS]
FLOW_UNITS LPS
START_DATE 01/01/2024
END_DATE 01/02/2024
[RAINGAGES]
G INTENSITY 0:05 1 TIMESERIES T
[SUBCATCHMENTS]
TWO G O1 1 50 100 1 0
edge G O1 1 50 100 1 0
OUTLET G J1 2 50 100 1 0
BEHIND G OUTLET 1 50 100 1 0
NOWHERE G * 1 50 100 1 0
AWAY G O1 1 50 100 1 0
[SUBAREAS]
TWO 0.01 0.1 0 0 0 OUTLET
edge 0.01 0.1 0 0 0 OUTLET
OUTLET 0.01 0.1 0 0 0 OUTLET
BEHIND 0.01 0.1 0 0 0 OUTLET
NOWHERE 0.01 0.1 0 0 0 OUTLET
AWAY 0.01 0.1 0 0 0 OUTLET
[JUNCTIONS]
J1 1 1
[OUTFALLS]
O1 0 FREE
[CONDUITS]
C J1 O1 100 0.01 0 0
[XSECTIONS]
C CIRCULAR 1
[COORDINATES]
J1 2.25 48.75
O1 2.35 48.65
[POLYGONS]
TWO 2.08 48.92
TWO 2.12 48.92
TWO 2.12 48.98
TWO 2.08 48.98
EDGE 1.95 48.05
EDGE 2.05 48.05
EDGE 2.05 48.09
EDGE 1.95 48.09
AWAY 5 48
AWAY 5.1 48
AWAY 5.1 48.1
${map}[TIMESERIES]
T 0:00 1 1:00 1
`,
    { runoff: true },
  )

test('a subcatchment takes its rain from where its outline, its outlet or the network lies', () => {
  const one = model()
  expect(isPlaced(one, null)).toBe(true)
  expect(isPlaced(model(''), null)).toBe(false)
  expect(isPlaced(model(''), 'EPSG:2154')).toBe(true)
  const places = rainPlaces(one, null, GRID)
  expect(places).toMatchObject({ byOutline: 3, byOutlet: 2, byBox: ['NOWHERE'], outside: ['AWAY'] })
  const [two, edge, outlet, behind, nowhere, away] = places?.of ?? []
  expect(two?.cells).toEqual([cell(0, 0), cell(0, 1)])
  expect(two?.shares).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)])
  // The part outside the image has no rain to give: what lies inside counts whole.
  expect(edge).toEqual({ cells: [cell(9, 0)], shares: [1] })
  expect(outlet).toEqual({ cells: [cell(2, 2)], shares: [1] })
  expect(behind).toEqual(outlet)
  expect(nowhere).toEqual(places?.box)
  expect(places?.box?.cells.length).toBeGreaterThan(50)
  expect(away).toBeNull()
  // Degrees taken as metres of Lambert-93 are places on Earth, though none near: nothing of it is under the image.
  expect(rainPlaces(model(''), 'EPSG:2154', GRID)?.of.every((cells) => cells === null)).toBe(true)
  // Lambert-93 taken as degrees is nowhere.
  const { document, ...rest } = model('')
  rest.network.nodes.forEach((node) => {
    node.x = 652_000
    node.y = 6_862_000
  })
  expect(rainPlaces({ ...rest, document: { ...document, sections: [] } }, null, GRID)).toBeNull()
})

test('each gets the mean of its cells while an image holds, dry and told where there is none', () => {
  const one = model()
  const places = rainPlaces(one, null, GRID)
  if (!places || !one.runoff) throw new Error('no places')
  const radarCells = Array.from({ length: 100 }, (_, k) => k)
  const frame = (fromS: number, toS: number, at: Record<number, number>): RadarRainFrame => {
    const ratesMmH = new Float32Array(100)
    for (const [k, mmH] of Object.entries(at)) ratesMmH[Number(k)] = mmH
    return { fromS, toS, ratesMmH }
  }
  const frames = [
    frame(0, 90, { [cell(0, 0)]: 10, [cell(0, 1)]: 30, [cell(2, 2)]: 6 }),
    // Half of one has no data: the other half stands for it.
    frame(90, 300, { [cell(0, 0)]: Number.NaN, [cell(0, 1)]: 8 }),
  ]
  const made = placeRain(one.runoff, places, frames, { radarCells, durationS: 600 })
  const gageOf = (k: number) => one.runoff!.gages[one.runoff!.subcatchments[k].gage]
  const mm = ({ rates, intervalS }: { rates: number[]; intervalS: number }) =>
    rates.reduce((sum, rate) => sum + rate * intervalS * 1000, 0)
  expect(gageOf(0)).toMatchObject({ intervalS: 60, startsS: [0, 60, 120, 180, 240] })
  const [first, second] = gageOf(0).rates.map((rate) => rate * 3.6e6)
  expect(first).toBeCloseTo(20, 6)
  expect(second).toBeCloseTo((20 + 8) / 2, 6)
  expect(mm(gageOf(0))).toBeCloseTo((20 * 90 + 8 * 210) / 3600, 6)
  expect(mm(gageOf(2))).toBeCloseTo((6 * 90) / 3600, 6)
  expect(gageOf(3)).toBe(gageOf(2))
  expect([mm(gageOf(1)), mm(gageOf(5))]).toEqual([0, 0])
  // The file's own gage has the mean of the box, for what else it feeds.
  expect(one.runoff.gages[0].name).toBe('G')
  expect(mm(one.runoff.gages[0])).toBeCloseTo(mm(gageOf(4)), 9)
  // Of seven hectares one is outside, and half of another lacks the second image; after 300 s there is none.
  expect(made.missingShare).toBeGreaterThan(0.5)
  expect(made.missingShare).toBeLessThan(0.65)
})

test('a month on very many places keeps to a bounded number of values', () => {
  const one = model()
  const places = rainPlaces(one, null, GRID)
  if (!places || !one.runoff) throw new Error('no places')
  const [first] = one.runoff.subcatchments
  one.runoff.subcatchments = Array.from({ length: 2_000 }, (_, k) => ({ ...first, name: `S${k}` }))
  places.of = one.runoff.subcatchments.map((_, k) => ({ cells: [0, 1], shares: [k / 4_000, 1 - k / 4_000] }))
  const ratesMmH = Float32Array.of(2, 2)
  const days = 7
  const frames = Array.from({ length: days * 288 }, (_, k) => ({
    fromS: k * 300,
    toS: k * 300 + 300,
    ratesMmH,
  }))
  places.box = places.of[0]
  const { stepS } = placeRain(one.runoff, places, frames, { radarCells: [0, 1], durationS: days * 86_400 })
  expect(stepS).toBeGreaterThan(60)
  const { rates, intervalS } = one.runoff.gages[one.runoff.subcatchments[1_999].gage]
  expect(rates.length * 2_000).toBeLessThanOrEqual(10_000_000)
  expect(rates.reduce((sum, rate) => sum + rate * intervalS * 1000, 0)).toBeCloseTo(2 * 24 * days, 6)
})
