import type { RunoffGage, RunoffModel } from '@radx/contracts'
import type { RadarRainFrame } from '@radx/hydrology/rain/rain'
import type { RainCells, RainPlaces } from './rain-places.ts'

/** Values that gages may have in all; beyond it a step of the series is longer. */
const MOST_VALUES = 10_000_000
const STEPS_S = [60, 120, 300, 600, 900, 1800, 3600]

/** Gages of a model under radar rain, and what is told of it. */
export interface PlacedRain {
  stepS: number
  /** Share of the subcatchments' area and time without data, where it is taken as dry. */
  missingShare: number
  /** Different series that fall. */
  series: number
}

/**
 * Puts radar rain onto a model: each subcatchment gets a gage of its own cells, those of the same cells share one; the
 * file's gages, which may still feed inflows of rain into sewers, get the mean of the box.
 * @param frames rates of `radarCells` in mm/h, each while it holds
 * @param durationS of the rain
 */
export function placeRain(
  model: RunoffModel,
  places: RainPlaces,
  frames: readonly RadarRainFrame[],
  { radarCells, durationS }: { radarCells: readonly number[]; durationS: number },
): PlacedRain {
  const at = new Map(radarCells.map((cell, k) => [cell, k]))
  const kinds = new Map<string, { cells: RainCells | null; areaM2: number; gage: number }>()
  const kindOf = (cells: RainCells | null) => {
    const key =
      cells === null
        ? ''
        : `${cells.cells.join(' ')} ${cells.shares.map((share) => share.toFixed(4)).join(' ')}`
    let kind = kinds.get(key)
    if (!kind) {
      kind = { cells, areaM2: 0, gage: kinds.size }
      kinds.set(key, kind)
    }
    return kind
  }
  const ofBox = kindOf(places.box)
  const ofEach = places.of.map((cells, i) => {
    const kind = kindOf(cells)
    kind.areaM2 += model.subcatchments[i].areaM2
    return kind.gage
  })
  const all = [...kinds.values()]
  const sources = all.map(
    ({ cells }) => cells && { shares: cells.shares, at: cells.cells.map((cell) => at.get(cell)!) },
  )
  const stepS = stepOf(frames, durationS, all.length)
  const { startsS, rates, knownS } = seriesOf(frames, durationS, stepS, sources)
  const gage = (name: string, k: number): RunoffGage => ({ name, intervalS: stepS, startsS, rates: rates[k] })
  const first = model.gages.length
  const own = model.gages.map(({ name }) => gage(name, ofBox.gage))
  model.gages = [...own, ...all.map((_, k) => gage(`radar ${k + 1}`, k))]
  model.subcatchments.forEach((one, i) => {
    one.gage = first + ofEach[i]
  })
  const areaM2 = all.reduce((sum, kind) => sum + kind.areaM2, 0)
  const known = all.reduce((sum, kind, k) => sum + kind.areaM2 * knownS[k], 0)
  return {
    stepS,
    missingShare: areaM2 > 0 ? 1 - known / areaM2 / durationS : 0,
    series: new Set(ofEach).size,
  }
}

type Source = { shares: number[]; at: number[] } | null

/** Mean of a source's cells that have data, and their share. */
function meanOf(source: Source, rates: ArrayLike<number>): { mmH: number; known: number } {
  let [sum, known] = [0, 0]
  if (source)
    for (let k = 0; k < source.at.length; k++) {
      const rate = rates[source.at[k]]
      if (Number.isNaN(rate)) continue
      sum += source.shares[k] * rate
      known += source.shares[k]
    }
  return { mmH: known > 0 ? sum / known : 0, known }
}

const isWet = ({ ratesMmH }: RadarRainFrame): boolean => {
  for (let k = 0; k < ratesMmH.length; k++) if (ratesMmH[k] > 0) return true
  return false
}

/** Places of the bins that frames with rain touch. */
function wetBins(frames: readonly RadarRainFrame[], durationS: number, stepS: number): number[] {
  const bins = new Set<number>()
  for (const frame of frames)
    if (isWet(frame))
      for (let b = Math.floor(frame.fromS / stepS); b * stepS < Math.min(frame.toS, durationS); b++)
        bins.add(b)
  return [...bins].sort((a, b) => a - b)
}

function stepOf(frames: readonly RadarRainFrame[], durationS: number, kinds: number): number {
  const fits = STEPS_S.find((stepS) => wetBins(frames, durationS, stepS).length * kinds <= MOST_VALUES)
  return fits ?? STEPS_S[STEPS_S.length - 1]
}

/** Rates in m/s in the bins where it rains anywhere, which all series share, and for how long each source has data, s. */
function seriesOf(
  frames: readonly RadarRainFrame[],
  durationS: number,
  stepS: number,
  sources: readonly Source[],
): { startsS: number[]; rates: number[][]; knownS: Float64Array } {
  const bins = wetBins(frames, durationS, stepS)
  const placeOf = new Int32Array(Math.ceil(durationS / stepS) + 1)
  bins.forEach((bin, k) => {
    placeOf[bin] = k
  })
  const rates = sources.map(() => new Array<number>(bins.length).fill(0))
  const knownS = new Float64Array(sources.length)
  for (const frame of frames) {
    const endS = Math.min(frame.toS, durationS)
    const wet = isWet(frame)
    sources.forEach((source, k) => {
      const { mmH, known } = meanOf(source, frame.ratesMmH)
      knownS[k] += known * Math.max(0, endS - frame.fromS)
      if (!wet || !(mmH > 0)) return
      for (let b = Math.floor(frame.fromS / stepS); b * stepS < endS; b++) {
        const lastsS = Math.min(endS, (b + 1) * stepS) - Math.max(frame.fromS, b * stepS)
        rates[k][placeOf[b]] += (mmH / 3.6e6) * (lastsS / stepS)
      }
    })
  }
  return { startsS: bins.map((bin) => bin * stepS), rates, knownS }
}
