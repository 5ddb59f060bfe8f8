import { FormatError } from '@radx/contracts/errors'
import type { OwnSeries } from '@radx/contracts/simulation'
import { readRainText } from '@radx/rainfall/storms/rain-text'
import { ownRain } from '@radx/rainfall/virtual-rain'
import { designTexts as texts } from '../../../../texts/design.ts'
import type { OwnText } from '../state.ts'

/** Longest simulation, min: a week. */
const MAX_MINUTES = 168 * 60

export interface OwnRain {
  /** mm/h a minute, as a run takes it. */
  minutes: number[]
  series: OwnSeries
  source: string
  /** Values read. */
  lines: number
  remarksFr: string[]
}

const shortestStep = (edgesMin: ArrayLike<number>): number =>
  Array.from(edgesMin).reduce(
    (least, edge, k, edges) => (k === 0 ? least : Math.min(least, edge - edges[k - 1])),
    Number.POSITIVE_INFINITY,
  )

/**
 * A hyetogram of one's own, of steps of any length, turned into minutes.
 * @throws FormatError naming the line, also where its unit is said nowhere or it lasts too long
 */
export function readOwn({ text, file, unit, calmAfter }: OwnText): OwnRain {
  const name = file === '' ? texts.pasted : file
  const read = readRainText(text, name, { complete: true, ...(unit !== null && { unit }) })
  if (read.unitAssumed) throw new FormatError('rain.unit', texts.ownUnitMissing)
  const rates = Array.from(read.ratesMmH)
  const minutes = ownRain(read, Math.max(0, calmAfter))
  if (minutes.length > MAX_MINUTES)
    throw new FormatError('rain.length', texts.ownTooLong(Math.ceil(minutes.length / 60)))
  const iMax = rates.reduce((most, rate) => Math.max(most, rate), 0)
  if (iMax === 0) throw new FormatError('rain.dry', texts.ownDry)
  return {
    minutes,
    series: { step: shortestStep(read.edgesMin), iMax, calmAfter: Math.max(0, calmAfter) },
    source: name,
    lines: rates.length,
    remarksFr: read.remarksFr,
  }
}
