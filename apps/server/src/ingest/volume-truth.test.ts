import { siteSchema } from '@radx/contracts'
import { HORIZON } from '@radx/demo/volume/obstacles'
import { weatherVolume } from '@radx/demo/volume-files'
import { Weather } from '@radx/demo/weather'
import { gatesOfCells, polarCells, rateFromDbz } from '@radx/rainfall/polar'
import { beforeAll, describe, expect, test } from 'vitest'
import { smallSite } from '../testing/small-site.ts'
import { groundRain, placedVolume, polarSweep } from './volume-rain.ts'

/** Of the demonstration, on which nothing of the chain was tried before. */
const SEED = 31
const HOUR_MS = 3_600_000
const AT_MS = Date.parse('2026-06-15T12:00:00Z')
const STEPS = 100
/** What rain took from the wave, dB, from which a place lies behind a storm. */
const BEHIND_DB = 2
/** Classes of quality of as many cells each. */
const CLASSES = 20

interface Cell {
  truth: number
  chain: number
  plain: number
  quality: number
  lostDb: number
}

/** Rain of cells in three scans of the storm's hour, beside one dBZ with Z = 200 R^1.6; null where the chain knows none. */
function stormScans(): (Cell | null)[][] {
  const site = siteSchema.parse(smallSite())
  const { lat, lng } = site.radar.position
  const place = { lat, lon: lng, altitudeM: site.radar.altitudeM }
  const bounds = { ul: { lat: lat + 0.4, lng: lng - 0.6 }, lr: { lat: lat - 0.4, lng: lng + 0.6 } }
  const grid = { bounds, steps: STEPS }
  const cells = polarCells(place, grid)
  const anchor = { atMs: AT_MS, storm: { lat: lat - 0.3, lng: lng + 0.07 } }
  const weather = new Weather({ seed: SEED, origin: site.radar.position, prescribed: [], anchor })
  const settings = { ...site.polarimetry, horizon: HORIZON }
  return [-6.8, -6.5, -6.2].map((hour) => {
    const instantMs = AT_MS + hour * HOUR_MS
    const truth = weather.rateField(grid, instantMs)
    const geometry = { nrays: 180, nbins: 120, rangeStepM: 400 }
    const { volume, lostDb } = weatherVolume(site, weather, instantMs, geometry)
    const found = groundRain(
      placedVolume(volume, { lat, lng, altitudeM: site.radar.altitudeM }),
      cells,
      settings,
    )!
    const gates = gatesOfCells(polarSweep(volume.sweeps[0]), place, cells)
    const dbz = volume.sweeps[0].moments.DBZH!.values
    return Array.from(truth, (mmH, k) =>
      Number.isNaN(found.rateMmH[k]) || gates[k] < 0
        ? null
        : {
            truth: mmH,
            chain: found.rateMmH[k],
            quality: found.quality[k],
            plain: rateFromDbz(dbz[gates[k]]),
            lostDb: lostDb[0][gates[k]],
          },
    )
  })
}

/** Means of the cells that every scan knows. */
function meanOf(scans: readonly (Cell | null)[][]): Cell[] {
  return scans[0].flatMap((_, k) => {
    const known = scans.flatMap((cells) => cells[k] ?? [])
    if (known.length < scans.length) return []
    const mean = (of: keyof Cell) => known.reduce((sum, cell) => sum + cell[of], 0) / known.length
    return {
      truth: mean('truth'),
      chain: mean('chain'),
      plain: mean('plain'),
      quality: mean('quality'),
      lostDb: mean('lostDb'),
    }
  })
}

const rmse = (cells: readonly Cell[], of: 'chain' | 'plain'): number =>
  Math.sqrt(cells.reduce((sum, cell) => sum + (cell[of] - cell.truth) ** 2, 0) / cells.length)

const bias = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { chain }) => sum + chain, 0) / cells.reduce((sum, { truth }) => sum + truth, 0) - 1

/** Ranks, equal values sharing theirs. */
function ranks(values: readonly number[]): Float64Array {
  const order = values.map((_, k) => k).sort((a, b) => values[a] - values[b])
  const out = new Float64Array(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to + 1 < order.length && values[order[to + 1]] === values[order[from]]) to++
    for (let k = from; k <= to; k++) out[order[k]] = (from + to) / 2
    from = to + 1
  }
  return out
}

function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)]
  const middle = (a.length - 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (let k = 0; k < a.length; k++) {
    xy += (x[k] - middle) * (y[k] - middle)
    xx += (x[k] - middle) ** 2
    yy += (y[k] - middle) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}

const isRain = ({ truth, chain }: Cell): boolean => truth >= 0.1 || chain >= 0.1

const relativeError = ({ truth, chain }: Cell): number => Math.abs(chain - truth) / Math.max(0.1, truth)

describe('rain of volumes against the rain that they were made from', () => {
  let scans: (Cell | null)[][]
  let hour: Cell[]
  beforeAll(() => {
    scans = stormScans()
    hour = meanOf(scans)
  })

  test('behind a storm the error is less than half that of one reflectivity, and its bias below 5 %', () => {
    const rain = hour.filter(isRain)
    const behind = rain.filter(({ lostDb }) => lostDb > BEHIND_DB)
    expect(behind.length).toBeGreaterThan(100)
    expect(rmse(behind, 'chain')).toBeLessThan(rmse(behind, 'plain') / 2)
    expect(Math.abs(bias(rain))).toBeLessThan(0.05)
    expect(Math.abs(bias(behind))).toBeLessThan(0.05)
  })

  test('quality ranks the error of all that the radar sees by a half and more', () => {
    const worst = hour.map(({ quality }) => -quality)
    const error = hour.map(({ truth, chain }) => Math.abs(chain - truth))
    expect(spearman(worst, error)).toBeGreaterThan(0.5)
    expect(spearman(worst, hour.map(relativeError))).toBeGreaterThan(0.5)
  })

  test('within rain, the lower a class of quality, the larger its mean error', () => {
    const rain = scans
      .flat()
      .filter((cell): cell is Cell => cell !== null && isRain(cell) && cell.chain > 0)
      .sort((a, b) => a.quality - b.quality)
    const size = Math.floor(rain.length / CLASSES)
    expect(size).toBeGreaterThan(100)
    const errors = Array.from({ length: CLASSES }, (_, k) => {
      const cells = rain.slice(k * size, (k + 1) * size)
      return cells.reduce((sum, cell) => sum + relativeError(cell), 0) / size
    })
    expect(spearman(errors, [...errors.keys()])).toBeLessThan(-0.8)
    expect(errors[CLASSES - 1]).toBeLessThan(errors[0] / 2)
  })
})
