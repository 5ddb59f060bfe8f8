import proj4 from 'proj4'
import { expect, test } from 'vitest'
import { projectionOf } from './projection.ts'

/** Length of a step of a kilometre northwards on the ellipsoid, m, near enough. */
function groundKm(crs: string, at: [number, number]): number {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const [a, b] = [toWgs84.forward(at), toWgs84.forward([at[0], at[1] + 1000])]
  const mean = (((a[1] + b[1]) / 2) * Math.PI) / 180
  const metresOfDegree = 111_132.95 - 559.85 * Math.cos(2 * mean)
  return Math.hypot(b[1] - a[1], (b[0] - a[0]) * Math.cos(mean)) * metresOfDegree
}

test.each<[string, [number, number]]>([
  ['EPSG:2154', [675_000, 6_827_000]],
  ['EPSG:3949', [1_675_000, 8_162_000]],
  ['EPSG:32631', [475_000, 5_376_000]],
  ['EPSG:25832', [500_000, 5_376_000]],
  // Ireland, the Netherlands, Belgium, Switzerland.
  ['EPSG:2157', [715_000, 734_000]],
  ['EPSG:28992', [155_000, 463_000]],
  ['EPSG:31370', [150_000, 170_000]],
  ['EPSG:2056', [2_600_000, 1_200_000]],
])('%s has metres of the ground', (crs, at) => {
  expect(Math.abs(groundKm(crs, at) / 1000 - 1)).toBeLessThan(0.004)
})

test.each([
  ['degrees', 'EPSG:4326'],
  ['metres of Mercator, longer than the ground', 'EPSG:3857'],
  ['metres of a world on a cylinder', 'EPSG:4087'],
  ['metres of another', 'EPSG:6933'],
  ['feet', 'EPSG:2263'],
  ['shifts that only a grid tells', 'EPSG:27700'],
  ['what no register has', 'EPSG:9999'],
  ['a name', 'Lambert'],
])('%s are refused in words', (_, crs) => {
  expect(() => projectionOf(crs)).toThrow(`${crs} n’est pas pris en charge`)
})
