import { HydrologyError } from '../errors.ts'

const MM_H_TO_M_S = 1 / 3.6e6
/** More than any rain measured on Earth over a minute (about 2,300 mm/h). */
export const MAX_RATE_MM_H = 3000

/**
 * Rain on a model as pieces of constant rate. Times in s since the start of the simulation.
 */
export interface Rain {
  durationS: number
  /** Interval of the rain, at which results are written, s. */
  intervalS: number
  /** Ascending; piece k lasts from `edgesS[k]` to `edgesS[k + 1]`. */
  edgesS: Float64Array
  /** m/s of piece k: one rate for all cells, or one a model cell (`row * ncols + col`). */
  rateMS(piece: number): number | Float64Array
}

function checkRates(rates: ArrayLike<number>, piece: number): void {
  for (let i = 0; i < rates.length; i++) {
    if (rates[i] >= 0 && rates[i] <= MAX_RATE_MM_H) continue
    if (Number.isNaN(rates[i])) continue
    throw new HydrologyError(
      'rain.range',
      `Pluie de ${rates[i]} mm/h au pas ${piece + 1} : une intensité doit être entre 0 et ${MAX_RATE_MM_H} mm/h.`,
      { details: { piece } },
    )
  }
}

/** The same rain everywhere: `ratesMmH[k]` holds from `k * intervalS` to `(k + 1) * intervalS`. */
export function uniformRain(ratesMmH: ArrayLike<number>, intervalS: number): Rain {
  if (ratesMmH.length === 0 || !(intervalS > 0))
    throw new HydrologyError('rain.empty', 'La série de pluie est vide : donner au moins un pas de temps.')
  for (let k = 0; k < ratesMmH.length; k++) {
    checkRates([ratesMmH[k]], k)
    if (Number.isNaN(ratesMmH[k]))
      throw new HydrologyError(
        'rain.gap',
        `La série de pluie n’a pas de valeur au pas ${k + 1}. Combler la lacune ou raccourcir la période.`,
        { details: { piece: k } },
      )
  }
  return {
    durationS: ratesMmH.length * intervalS,
    intervalS,
    edgesS: Float64Array.from({ length: ratesMmH.length + 1 }, (_, k) => k * intervalS),
    rateMS: (piece) => ratesMmH[piece] * MM_H_TO_M_S,
  }
}

/**
 * The same rain everywhere: `ratesMmH[k]` holds from `edgesS[k]` to `edgesS[k + 1]`. Results are written at the shortest of
 * these steps, a second at least.
 * @param edgesS ascending from 0, one more than rates
 */
export function steppedRain(ratesMmH: readonly number[], edgesS: readonly number[]): Rain {
  const steps = edgesS.slice(1).map((edge, k) => edge - edgesS[k])
  const shortest = Math.max(1, Math.min(...steps))
  const even = uniformRain(ratesMmH, shortest)
  const durationS = edgesS[edgesS.length - 1]
  return { ...even, durationS, edgesS: Float64Array.from(edgesS) }
}

export interface RadarRainFrame {
  /** When the frame's rate begins and ends to hold, s since the start of the simulation. */
  fromS: number
  toS: number
  /** mm/h a radar cell; NaN: no data. */
  ratesMmH: ArrayLike<number>
}

/** In place of a radar cell: the model has no cell there, so that its rain is nobody's. */
export const NO_MODEL_CELL = -2

export interface RadarRain extends Rain {
  /** Share of the model's cells x time for which the radar had no data; the model takes it as dry. */
  missingShare: number
  /** What was measured in piece k: mm/h a model cell, NaN without data or without a model cell; null: no frame. */
  measuredMmH(piece: number): Float32Array | null
  /** Share of the model's cells without data in piece k. */
  missingOf(piece: number): number
}

/**
 * Radar rain, cell by cell at the radar's own times. Time between frames is a gap: dry, and counted as missing.
 *
 * @param cellOfModel radar cell of each model cell (`row * ncols + col`), -1 outside the radar,
 *   `NO_MODEL_CELL` where there is no model cell
 */
export function radarRain(
  frames: RadarRainFrame[],
  cellOfModel: Int32Array,
  { durationS, intervalS }: { durationS: number; intervalS: number },
): RadarRain {
  const edges: number[] = [0]
  const owner: Array<RadarRainFrame | null> = []
  let missing = 0
  const missingOf = (frame: RadarRainFrame | null) => (frame ? missingShare(frame, cellOfModel) : 1)
  const push = (toS: number, frame: RadarRainFrame | null) => {
    if (toS <= edges[edges.length - 1]) return
    const lasts = toS - edges[edges.length - 1]
    missing += lasts * missingOf(frame)
    edges.push(toS)
    owner.push(frame)
  }
  frames.forEach((frame, k) => {
    checkRates(frame.ratesMmH, k)
    if (frame.toS <= frame.fromS || frame.fromS < edges[edges.length - 1] - 1e-6)
      throw new HydrologyError(
        'rain.order',
        `L’image radar ${k + 1} commence à ${frame.fromS} s, avant la fin de la précédente. Trier les images par date.`,
        { details: { frame: k } },
      )
    push(Math.min(frame.fromS, durationS), null)
    push(Math.min(frame.toS, durationS), frame)
  })
  push(durationS, null)
  const rates = new Float64Array(cellOfModel.length)
  return {
    durationS,
    intervalS,
    edgesS: Float64Array.from(edges),
    missingShare: missing / durationS,
    rateMS(piece) {
      const frame = owner[piece]
      if (!frame) return 0
      for (let cell = 0; cell < rates.length; cell++) {
        const rate = cellOfModel[cell] < 0 ? 0 : frame.ratesMmH[cellOfModel[cell]]
        rates[cell] = Number.isNaN(rate) ? 0 : rate * MM_H_TO_M_S
      }
      return rates
    },
    measuredMmH(piece) {
      const frame = owner[piece]
      return frame && Float32Array.from(cellOfModel, (cell) => (cell < 0 ? Number.NaN : frame.ratesMmH[cell]))
    },
    missingOf: (piece) => missingOf(owner[piece]),
  }
}

function missingShare(frame: RadarRainFrame, cellOfModel: Int32Array): number {
  let [missing, cells] = [0, 0]
  for (const cell of cellOfModel) {
    if (cell === NO_MODEL_CELL) continue
    cells++
    if (cell < 0 || Number.isNaN(frame.ratesMmH[cell])) missing++
  }
  return cells > 0 ? missing / cells : 0
}
