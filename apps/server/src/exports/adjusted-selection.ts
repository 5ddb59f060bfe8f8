import type { GaugeAdjustment } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import {
  catchmentStatistics,
  catchmentZoneStats,
  decodeRate,
  frameStatistics,
  maxMmH,
  RATE_NO_DATA,
  representativeness,
  zoneStats,
} from '@radx/rainfall'
import { type AdjustmentInput, adjustedCodes, adjustmentLines, prepareAdjustment } from '../gauges/api.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import type { AnswerContext } from '../threads/answers.ts'
import type { Selection } from './selection.ts'

/** A selection in the product adjusted to gauges. */
export interface AdjustedSelection {
  about: GaugeAdjustment
  /** Its frames, with the means of adjusted rain; totals are those of frames that stand still. */
  selection: Selection
  /** mm/h of the cell that was asked for, a value a frame; null without data. Empty where none was. */
  cell: (number | null)[]
}

/**
 * What a selection is in the product adjusted to gauges.
 * @param cellIndex cell whose values are wanted, `row * steps + col`
 */
export async function adjustedSelection(
  context: AnswerContext,
  selection: Selection,
  input: AdjustmentInput,
  cellIndex: number | null = null,
): Promise<AdjustedSelection> {
  const { product, span, zone } = selection
  const made = await prepareAdjustment(context, input, true)
  const zones = context.store.catalog.zones.filter(({ key }) => key === zone?.key)
  const [weights] = zoneWeights(product, zones)
  const byTime = new Map(selection.frames.map((frame) => [isoSeconds(frame.timeMs), frame]))
  const frames: Selection['frames'] = []
  const cell: (number | null)[] = []
  let k = 0
  for await (const codes of adjustedCodes(context, made, span)) {
    const frame = byTime.get(made.about.frames[k++].time)
    // A frame that came between two reads.
    if (!frame) continue
    const statistics = frameStatistics(codes)
    frames.push({
      ...frame,
      zone: zoneStats(statistics),
      catchment: weights ? catchmentZoneStats(catchmentStatistics(codes, weights)) : null,
      maxMmH: maxMmH(statistics),
      maxIndex: statistics.maxIndex,
      moved: null,
    })
    if (cellIndex !== null) cell.push(codes[cellIndex] === RATE_NO_DATA ? null : decodeRate(codes[cellIndex]))
  }
  const time = representativeness(
    frames.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  return { about: made.about, selection: { ...selection, frames, time, method: 'raw' }, cell }
}

/** Lines on the adjusted product beside those on where an export comes from. */
export const adjustmentProvenance = (about: GaugeAdjustment): [string, string][] => [
  ...adjustmentLines(about).map(([name, value]): [string, string] => [`Ajustement, ${name}`, value]),
  ...about.notesFr.map((note): [string, string] => ['Ajustement, remarque', note]),
]

/** In the names of files of an adjusted product. */
export const adjustedStem = (input: Pick<AdjustmentInput, 'method' | 'mode'> | null | undefined): string =>
  input ? `-ajuste-${input.method}-${input.mode}` : ''
