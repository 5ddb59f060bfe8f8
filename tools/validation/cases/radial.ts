import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import { bedOf, between, mean, numberRows, rowOrRefusal, runCase, SETUPS } from './command.ts'

const AT_S = 2
const DAM_M = 50

/** Places 1 m apart along the axis and the diagonal, from the middle. */
const PLACES = Array.from({ length: 99 }, (_, k) => [
  { name: `a${k}`, x: k + 0.5, y: 0.5 },
  { name: `d${k}`, x: 0.7 * k + 0.5, y: 0.7 * k + 0.5 },
]).flat()

/** A circle of water 10 m deep falls apart on 1 m of water or on dry ground. */
export function radialDamBreak(): string[] {
  const grid = { ncols: 200, nrows: 200, xll: -100, yll: -100, cellSize: 1 }
  const bed = bedOf(grid, () => 0)
  const rows = (['wet', 'dry'] as const).flatMap((ground) => {
    const reference = numberRows(surfaceText(`radial_dam_break/reference_${ground}_t2s.csv`))
    const column = (k: number) => reference.map((row) => row[k])
    const outside = ground === 'wet' ? 1 : 0
    const depthM = bedOf(grid, (x, y) => (Math.hypot(x, y) <= DAM_M ? 10 : outside)).data
    const given = { name: 'radial', bed, manning: 0, depthM, points: PLACES, endS: 4, intervalS: AT_S }
    return SETUPS.map(([name, setup]) =>
      rowOrRefusal([ground, name], 5, () => {
        const { points, relativeError } = runCase(given, setup)
        const errors = PLACES.map((place) => {
          const { timesS, depthM, speedMS } = points.get(place.name)!
          const k = timesS.indexOf(AT_S)
          const r = Math.hypot(Math.floor(place.x) + 0.5, Math.floor(place.y) + 0.5)
          const speed = between(column(0), column(5), r)
          return {
            depth: Math.abs(depthM[k] - between(column(0), column(4), r)),
            // The speed of a film says nothing.
            speed: depthM[k] > 0.05 ? Math.abs(speedMS[k] - speed) : 0,
          }
        })
        const of = (axis: number, key: 'depth' | 'speed') =>
          figure(mean(errors.filter((_, k) => k % 2 === axis).map((error) => error[key])), 2)
        return [
          of(0, 'depth'),
          of(1, 'depth'),
          of(0, 'speed'),
          of(1, 'speed'),
          figure(Math.abs(relativeError), 2),
        ]
      }),
    )
  })
  return [
    '### Radial dam break',
    '',
    '10 m of water within 50 m of the middle, outside 1 m or none; no friction, cells of 1 m. Mean difference after 2 s from the',
    'solution along a radius on 0.1 m (ANUGA’s validation), along an axis and along the diagonal of the grid: depth, m, speed, m/s.',
    '',
    ...table(
      ['ground', 'scheme', 'depth, axis', 'depth, diagonal', 'speed, axis', 'speed, diagonal', 'balance'],
      rows,
    ),
  ]
}
