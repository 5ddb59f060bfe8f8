import { RadxError } from '@radx/contracts'
import { csvText } from '@radx/locale/csv'
import { decodeRate, type ProductGrid, RATE_NO_DATA } from '@radx/rainfall'
import { BadRequest, NotFound } from '../../http/errors.ts'
import { iso, productOf } from '../../radar/api.ts'
import type { AnswerKind } from '../../threads/answers.ts'
import { type EdrFile, type EdrInput, nearestOf, shown, textFile, VALUES_MAX } from './answers.ts'
import { type PathSeries, RATE, trajectoryCoverages } from './coverage.ts'

/** Cells that one path may cross. */
const CROSSED_MAX = 20_000

/** A part of a path inside one cell, by its middle. */
export interface Crossed {
  lng: number
  lat: number
  /** `row * steps + col`. */
  cell: number
  /** When the path is there, ms, where it says so; else null. */
  timeMs: number | null
}

/**
 * The cells that a path goes through, in its order, each once as it passes; parts outside the grid are left out.
 * Between two points a path is straight in longitude and latitude, and its pace even.
 * @param points longitude and latitude, degrees
 * @param secondsOf moment of each point, s since 1970, or null
 * @throws BadRequest for a path through more than 20,000 cells
 */
export function crossedCells(
  { bounds: { ul, lr }, steps }: ProductGrid,
  points: readonly (readonly [number, number])[],
  secondsOf: readonly number[] | null,
): Crossed[] {
  const inGrid = ([lng, lat]: readonly [number, number]) => [
    ((lng - ul.lng) / (lr.lng - ul.lng)) * steps,
    ((ul.lat - lat) / (ul.lat - lr.lat)) * steps,
  ]
  const crossed: Crossed[] = []
  for (let k = 1; k < points.length; k++) {
    const [from, to] = [points[k - 1], points[k]]
    const cuts = cutsOf(inGrid(from), inGrid(to), steps)
    for (let i = 1; i < cuts.length; i++) {
      const share = (cuts[i - 1] + cuts[i]) / 2
      const between = (a: number, b: number) => a + share * (b - a)
      const [lng, lat] = [between(from[0], to[0]), between(from[1], to[1])]
      const [col, row] = inGrid([lng, lat]).map(Math.floor)
      if (row < 0 || col < 0 || row >= steps || col >= steps) continue
      const cell = row * steps + col
      const timeMs = secondsOf === null ? null : 1000 * between(secondsOf[k - 1], secondsOf[k])
      // A corner of the path inside a cell parts nothing.
      if (timeMs === null && crossed.at(-1)?.cell === cell) continue
      crossed.push({ lng, lat, cell, timeMs })
      if (crossed.length > CROSSED_MAX)
        throw new BadRequest('coords', 'coords', `coords traverse plus de ${CROSSED_MAX} cellules.`)
    }
  }
  return crossed
}

/** Where a straight line passes from one cell into another, as shares of its length from 0 to 1. @param a col and row, as b */
function cutsOf(a: number[], b: number[], steps: number): number[] {
  const cuts = [0, 1]
  for (const axis of [0, 1]) {
    const length = b[axis] - a[axis]
    if (length === 0) continue
    const low = Math.max(0, Math.ceil(Math.min(a[axis], b[axis])))
    const high = Math.min(steps, Math.floor(Math.max(a[axis], b[axis])))
    for (let edge = low; edge <= high; edge++) {
      const share = (edge - a[axis]) / length
      if (share > 0 && share < 1) cuts.push(share)
    }
  }
  return cuts.sort((x, y) => x - y)
}

interface TrajectoryInput extends EdrInput {
  points: [number, number][]
  secondsOf: number[] | null
  /** How far from a moment of the path its frame may be, ms. */
  nearMs: number
}

/** Rates along a path: at its own moments where it has some, else along all of it in every frame of the period. */
export const edrTrajectoryAnswer: AnswerKind<TrajectoryInput, EdrFile> = {
  name: 'edr-trajectory',
  async run({ store }, { p, span, instantMs, format, points, secondsOf, nearMs }) {
    const product = productOf(store, { p })
    const crossed = crossedCells(product, points, secondsOf)
    if (crossed.length === 0) throw new NotFound('Le trajet ne passe par aucune cellule du produit.')
    const all = await store.index.places(product, span)
    const timesMs = all.map(({ timeMs }) => timeMs)
    /** Of each frame that is read: the parts of the path whose values it has. */
    const wanted = new Map<number, number[]>()
    if (secondsOf === null)
      for (const k of shown(timesMs, instantMs))
        wanted.set(
          k,
          crossed.map((_, i) => i),
        )
    else
      crossed.forEach(({ timeMs }, i) => {
        const k = nearestOf(timesMs, timeMs!)
        if (k === null || Math.abs(timesMs[k] - timeMs!) > nearMs) return
        const parts = wanted.get(k)
        if (parts) parts.push(i)
        else wanted.set(k, [i])
      })
    const count = secondsOf === null ? wanted.size * crossed.length : crossed.length
    if (count > VALUES_MAX)
      throw new RadxError(
        'ogc.tooManyValues',
        413,
        `${count} valeurs demandées, ${VALUES_MAX} au plus : raccourcir le trajet ou la période.`,
      )
    const frames = [...wanted.keys()].sort((a, b) => a - b)
    const moving: (number | null)[] = crossed.map(() => null)
    const paths: PathSeries[] = []
    let n = 0
    const places = frames.map((k) => all[k])
    for await (const codes of store.index.codes(product, places)) {
      const rate = (i: number) => {
        const code = codes === null ? 0 : codes[crossed[i].cell]
        return code === RATE_NO_DATA ? null : decodeRate(code)
      }
      if (secondsOf !== null) for (const i of wanted.get(frames[n])!) moving[i] = rate(i)
      else
        paths.push({
          at: crossed.map(({ lng, lat }) => ({ lng, lat, timeMs: places[n].timeMs })),
          rates: crossed.map((_, i) => rate(i)),
        })
      n++
    }
    if (secondsOf !== null)
      paths.push({
        at: crossed.map(({ lng, lat, timeMs }) => ({ lng, lat, timeMs: timeMs! })),
        rates: moving,
      })
    if (format === 'CSV') return textFile(pathsCsv(paths))
    return textFile(format === 'GeoJSON' ? pathFeatures(paths) : trajectoryCoverages(paths))
  },
}

function pathsCsv(paths: PathSeries[]): string {
  const rows = paths.flatMap(({ at, rates }) =>
    at.map(({ timeMs, lng, lat }, k) => [iso(timeMs), lng, lat, rates[k]]),
  )
  return csvText([['datetime', 'longitude', 'latitude', `${RATE} (mm/h)`], ...rows])
}

const pathFeatures = (paths: PathSeries[]) => ({
  type: 'FeatureCollection',
  features: paths
    .flatMap(({ at, rates }) => at.map((place, k) => ({ ...place, rate: rates[k] })))
    .map(({ timeMs, lng, lat, rate }, id) => ({
      type: 'Feature',
      id,
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: { datetime: iso(timeMs), [RATE]: rate },
    })),
})
