import type { ObservedPlace, ObservedQuantity, ObservedUnit, Scores } from '@radx/contracts/calibration'
import { formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { ApiError, genericErrorText } from '../../../app/api/errors.ts'
import { measuredTexts as texts } from '../../../texts/calibration.ts'

/** Where a series was measured, in words. */
export function placeText(place: ObservedPlace): string {
  if (place.kind !== 'point') return texts.places[place.kind](place.name)
  const metres = (value: number) => formatNumberFr(value, 1, true)
  return texts.places.point(metres(place.x), metres(place.y))
}

/** How values of a quantity are shown beside a run: SI, above the bottom of their place. */
export const SHOWN: Record<ObservedQuantity, { unit: string; decimals: number }> = {
  flow: { unit: 'm³/s', decimals: 4 },
  depth: { unit: 'm', decimals: 3 },
  level: { unit: 'm', decimals: 3 },
}

export const UNIT_NAMES: Record<ObservedUnit, string> = {
  'm3/s': 'm³/s',
  'l/s': 'l/s',
  'm3/h': 'm³/h',
  m: 'm',
  cm: 'cm',
  mm: 'mm',
}

/** What the server says of a table stands as it is: it names line and column. */
export const refusalText = (error: Error): string =>
  error instanceof ApiError && error.serverMessage ? punctuated(error.serverMessage) : genericErrorText(error)

/** A change with its sign. */
export function signed(value: number | null, decimals: number): string {
  const text = formatNumberFr(value, decimals)
  return value !== null && value > 0 && text !== MISSING_FR ? `+${text}` : text
}

/** Scores as cells of a table: NSE, KGE, peak error, both peaks, delay, volume error, pairs, missing. */
export function scoreCells(scores: Scores, quantity: ObservedQuantity): string[] {
  const { unit, decimals } = SHOWN[quantity]
  const peak = (value: number) => `${formatNumberFr(value, decimals)} ${unit}`
  const percent = (value: number | null) => signed(value === null ? null : 100 * value, 1)
  return [
    formatNumberFr(scores.nse, 3),
    formatNumberFr(scores.kge, 3),
    percent(scores.peakError),
    peak(scores.peakMeasured),
    peak(scores.peakSimulated),
    signed(scores.peakDelayS / 60, 1),
    percent(scores.volumeError),
    formatNumberFr(scores.pairs),
    formatNumberFr(scores.missing),
  ]
}
