import {
  ANTECEDENT_DAYS,
  ANTECEDENT_KNOWN,
  runStartMs,
  type SimulationInput,
  type SoilBefore,
} from '@radx/contracts'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { cellIndexOf, cumulate, representativeness } from '@radx/rainfall'
import { soilStateAfter } from '@radx/rainfall/storms/antecedent'
import proj4 from 'proj4'
import type { StoredProduct } from '../../store/catalog.ts'
import { BRIDGED_S } from '../../store/moved/moved-frame.ts'
import type { Store } from '../../store/open-store.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { projectionOf } from '../catchment/projection.ts'
import { SimulationFormError } from '../errors.ts'

const DAY_MS = 86_400_000
/** Places looked at along each side of a catchment. */
const PLACES_A_SIDE = 3

/** The days whose rain tells how wet the soil is: before the rain as it fell, or before now for virtual rain. */
export function daysBefore(
  input: Pick<SimulationInput, 'rainfallSelection' | 'rainfallStart' | 'transposition'>,
  nowMs: number,
): { startMs: number; endMs: number } {
  const endMs = input.rainfallSelection === 'virtual' ? nowMs : Math.min(nowMs, runStartMs(input))
  return { startMs: endMs - ANTECEDENT_DAYS * DAY_MS, endMs }
}

/**
 * Wetness of the soil from what the archive measured over the catchment in the days before, as it moved
 * between frames where all of it was followed.
 * @throws SimulationFormError when too much of them is missing: nothing is guessed
 */
export async function soilBeforeOf(
  { pixels, moved }: Pick<Store, 'pixels' | 'moved'>,
  product: StoredProduct,
  catchment: CatchmentPackage,
  span: { startMs: number; endMs: number },
): Promise<SoilBefore> {
  const cells = placesOf(catchment, product)
  const wholeS = (span.endMs - span.startMs) / 1000
  const isMoved = await moved.isReady(product, span)
  let [sumMm, missingS] = [0, 0]
  for (const cell of cells) {
    const [row, col] = [Math.floor(cell / product.steps), cell % product.steps]
    const values = await pixels.read(product, row, col, span)
    const rates = isMoved ? await moved.pixel(product, row, col, span, values) : null
    const time = representativeness(
      values.map(({ timeMs }) => timeMs),
      span,
      product.frameSeconds,
      rates ? BRIDGED_S : 0,
    )
    const { totalMm, missingSeconds } = cumulate(rates ?? values.map(({ rateMmH }) => rateMmH), time)
    sumMm += totalMm
    missingS += missingSeconds
  }
  const knownShare = cells.length === 0 ? 0 : 1 - missingS / cells.length / wholeS
  if (knownShare < ANTECEDENT_KNOWN)
    throw new SimulationFormError(
      'soilBefore',
      `L’archive ne connaît que ${formatQuantityFr(100 * Math.max(0, knownShare), '%', 0)} des ${ANTECEDENT_DAYS} jours d’avant sur ce bassin : choisissez un sol sec, moyen ou humide.`,
    )
  const depthMm = sumMm / cells.length
  const month = new Date(span.endMs).getUTCMonth() + 1
  return {
    choice: 'archive',
    state: soilStateAfter(depthMm, month),
    depthMm,
    knownShare,
    end: isoSeconds(span.endMs),
    method: isMoved ? 'moved' : 'raw',
  }
}

/** Radar cells spread over a catchment, each once. */
function placesOf({ elevation, catchment }: CatchmentPackage, product: StoredProduct): number[] {
  const toWgs84 = proj4(projectionOf(catchment.crs), 'WGS84')
  const cells = new Set<number>()
  for (let i = 0; i < PLACES_A_SIDE; i++)
    for (let j = 0; j < PLACES_A_SIDE; j++) {
      const x = elevation.xll + ((i + 0.5) / PLACES_A_SIDE) * elevation.ncols * elevation.cellSize
      const y = elevation.yll + ((j + 0.5) / PLACES_A_SIDE) * elevation.nrows * elevation.cellSize
      const [lng, lat] = toWgs84.forward([x, y])
      const cell = cellIndexOf(product, { lat, lng })
      if (cell >= 0) cells.add(cell)
    }
  return [...cells]
}
