import type { EventScalingAnswer, ScalingPart } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { decodeRate, RATE_NO_DATA } from '@radx/rainfall'
import {
  analyseEvent,
  type EventScaling,
  everyRange,
  type RangeFit,
  type ScalingOf,
} from '@radx/scaling/event-analysis'
import { type AnalysisWindow, chooseWindow, longestEven } from '@radx/scaling/window'
import { NotFound } from '../http/errors.ts'
import { productOf } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerKind } from '../threads/answers.ts'
import { isFlat, notesFr, scalingNotes } from './notes.ts'

export interface ScalingInput {
  product: string
  span: Span
}

/** Cells times frames of one analysis: about ten seconds and half a gigabyte. */
const MOST_VALUES = 8_000_000
const M_PER_DEGREE = 111_195

/** Multifractal analysis of a period of a product. */
export const scalingAnswer: AnswerKind<ScalingInput, EventScalingAnswer> = {
  name: 'scaling',
  async run({ store }, { product: name, span }) {
    const product = productOf(store, { p: name })
    const places = await store.index.places(product, span)
    if (places.length === 0)
      throw new NotFound('L’archive n’a aucune image pour cette période : il n’y a rien à analyser.')
    const rateMmH: Float32Array[] = []
    const { steps } = product
    for await (const codes of store.index.codes(product, places)) rateMmH.push(ratesOf(codes, steps ** 2))
    const frames = { nrows: steps, ncols: steps, rateMmH }
    const side = 2 ** Math.floor(Math.log2(Math.sqrt(MOST_VALUES / rateMmH.length)))
    const window = chooseWindow(frames, side)
    if (!window) throw refused(rateMmH)
    const times = places.map(({ timeMs }) => timeMs)
    const found = analyseEvent(frames, window, {
      ranges: everyRange,
      even: longestEven(times, product.frameSeconds),
    })
    if (isFlat(found)) throw new RadxError('scaling.flat', 422, scalingNotes.flat)
    return answer(found, { product, times, shrunk: side < steps / 2 && window.side === side })
  },
}

/** A dry frame has no codes. */
function ratesOf(codes: Uint16Array | null, cells: number): Float32Array {
  const rates = new Float32Array(cells)
  if (codes)
    for (let i = 0; i < cells; i++) rates[i] = codes[i] === RATE_NO_DATA ? Number.NaN : decodeRate(codes[i])
  return rates
}

/** Why there is no window. */
function refused(rateMmH: readonly Float32Array[]): RadxError {
  if (!rateMmH.some((rates) => rates.some((rate) => rate >= 0)))
    return new RadxError(
      'scaling.unknown',
      422,
      'Les images de cette période n’ont aucune donnée : rien ne dit s’il a plu. Choisissez une autre période.',
    )
  const wet = rateMmH.some((rates) => rates.some((rate) => rate > 0))
  return wet
    ? new RadxError(
        'scaling.noWindow',
        422,
        'Aucun carré de 16 mailles ou plus n’est connu et mouillé dans ces images : trop de mailles manquent. Choisissez une autre période.',
      )
    : new RadxError(
        'scaling.dry',
        422,
        'Il n’a pas plu pendant cette période : aucun paramètre ne peut être estimé. Choisissez une période de pluie.',
      )
}

interface About {
  product: StoredProduct
  times: number[]
  /** The window is small because the period is long. */
  shrunk: boolean
}

function answer(found: EventScaling, { product, times, shrunk }: About): EventScalingAnswer {
  const { space, wet, time, spectrum, window } = found
  const cellM = cellMetres(product, window)
  return {
    product: product.shortName,
    frames: times.length,
    cellM,
    frameSeconds: product.frameSeconds,
    window,
    notesFr: [
      ...notesFr(found),
      ...(shrunk
        ? [
            `${times.length} images : la fenêtre est réduite à ${window.side} mailles (${formatQuantityFr((window.side * cellM) / 1000, 'km', 0)}). Une période plus courte en permet une plus grande.`,
          ]
        : []),
      ...(times.length === 1 ? [scalingNotes.oneFrame] : []),
    ],
    space: part(space),
    wet: wet && { ...part(wet), wetShare: wet.wetShare },
    time: time && { ...part(time), from: isoSeconds(times[time.firstFrame]) },
    spectrum: spectrum && {
      wavelengthM: spectrum.wavenumber.map((k) => (spectrum.side * cellM) / k),
      power: spectrum.power,
      fits: spectrum.fits,
    },
    single: found.frames.map(({ index, zeroShare, missingShare, meanMmH, fits }) => ({
      time: isoSeconds(times[index]),
      zeroShare,
      missingShare,
      meanMmH: Number.isFinite(meanMmH) ? meanMmH : null,
      fits: fits.map(({ tm, dtm }) => ({ tm: estimate(tm), dtm: estimate(dtm) })),
    })),
  }
}

function part({ samples, side, zeroShare, missingShare, points, fits }: ScalingOf): ScalingPart {
  return {
    samples,
    side,
    zeroShare,
    missingShare,
    points: points ? { ...points, q: [...points.q] } : { cells: [], q: [], moments: [] },
    fits: fits.map(fitOf),
  }
}

const fitOf = ({ fromCells, toCells, tm, dtm }: RangeFit): ScalingPart['fits'][number] => ({
  fromCells,
  toCells,
  tm: tm && {
    ...(estimate(tm) as { alpha: number; c1: number; r2: number }),
    k: tm.k.map(({ q, k }) => ({ q, k })),
  },
  dtm: dtm && {
    ...(estimate(dtm) as { alpha: number; c1: number; r2: number }),
    k: dtm.k.map(({ eta, k }) => ({ eta, k })),
  },
})

const estimate = <T extends { alpha: number; c1: number; r2: number }>(fit: T | null) =>
  fit && { alpha: fit.alpha, c1: fit.c1, r2: fit.r2 }

/** Side of the cells of a window on a latitude-longitude grid, m: the mean of both directions. */
function cellMetres({ bounds: { ul, lr }, steps }: StoredProduct, { row, side }: AnalysisWindow): number {
  const lat = ul.lat - ((row + side / 2) / steps) * (ul.lat - lr.lat)
  const height = ((ul.lat - lr.lat) / steps) * M_PER_DEGREE
  const width = ((lr.lng - ul.lng) / steps) * M_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  return Math.sqrt(height * width)
}
