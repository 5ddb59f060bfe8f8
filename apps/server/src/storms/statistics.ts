import type { OwnStatistics } from '@radx/contracts'
import { steppedRain } from '@radx/rainfall'
import {
  GEV_MIN_YEARS,
  GUMBEL_MIN_YEARS,
  gevQuantiles,
  gumbelQuantiles,
} from '@radx/rainfall/storms/annual-maxima'
import { DURATIONS_MIN, largestDepths, type SteppedRain } from '@radx/rainfall/storms/depth-duration'
import { productOf } from '../radar/api.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'

export interface StatisticsInput {
  product: string
  zone: string
  /** What the account may see. */
  span: Span
}

const PERIODS_YEARS = [2, 5, 10, 20, 50, 100]
/** Share of a year's frames that makes it complete: what is missing may hold the year's largest rain. */
const COMPLETE_SHARE = 0.95

/** Laws fitted to the annual maxima that the archive itself holds for a zone, years being those of UTC. */
export const statisticsAnswer: AnswerKind<StatisticsInput, OwnStatistics> = {
  name: 'statistics',
  async run({ store }, { product: name, zone, span }) {
    const product = productOf(store, { p: name })
    const years = await countedYears(store, name, span)
    const whole = years.filter(({ share }) => share >= COMPLETE_SHARE).map(({ year }) => year)
    const read: { year: number; depthsMm: number[] }[] = []
    // A year at a time: a year of frames is what memory holds.
    for (const year of whole.length < GUMBEL_MIN_YEARS ? [] : whole) {
      const own = yearSpan(year)
      const frames = await store.index.summaries(product, own, zone)
      const rain = steppedRain(
        frames.map(({ timeMs }) => timeMs),
        frames.map(({ catchment }) => catchment?.mean ?? null),
        own,
        product.frameSeconds,
      )
      // Frames that come twice as often for half a year, or know nothing of the zone, make no year of it.
      if (knownShare(rain) < COMPLETE_SHARE) continue
      read.push({ year, depthsMm: largestDepths(rain, DURATIONS_MIN).map(({ depthMm }) => depthMm) })
    }
    const complete = whole.length < GUMBEL_MIN_YEARS ? whole : read.map(({ year }) => year)
    const law =
      complete.length >= GEV_MIN_YEARS ? 'gev' : complete.length >= GUMBEL_MIN_YEARS ? 'gumbel' : 'none'
    return {
      years: complete,
      incompleteYears: years.map(({ year }) => year).filter((year) => !complete.includes(year)),
      law,
      noteFr: noteOf(law, complete.length),
      durations:
        law === 'none'
          ? []
          : DURATIONS_MIN.map((durationMin, k) => {
              const maximaMm = read.map(({ depthsMm }) => depthsMm[k])
              const quantiles = (law === 'gev' ? gevQuantiles : gumbelQuantiles)(maximaMm, PERIODS_YEARS)
              return { durationMin, maximaMm, quantiles }
            }),
    }
  },
}

function noteOf(law: OwnStatistics['law'], years: number): string {
  const count = years < 2 ? `${years} année complète` : `${years} années complètes`
  if (law === 'none')
    return `L’archive a ${count} : il en faut ${GUMBEL_MIN_YEARS} pour une loi de Gumbel et ${GEV_MIN_YEARS} pour une loi GEV. Aucune statistique n’est donnée.`
  return law === 'gumbel'
    ? `Loi de Gumbel sur ${count}, par les moments ; bornes à 90 %. À partir de ${GEV_MIN_YEARS} années, une loi GEV est ajustée.`
    : `Loi GEV sur ${count}, par les L-moments ; bornes à 90 %.`
}

/** Share of the time for which a rain has a value. */
function knownShare({ edgesMin, ratesMmH }: SteppedRain): number {
  let known = 0
  for (let k = 0; k < ratesMmH.length; k++)
    if (!Number.isNaN(ratesMmH[k])) known += edgesMin[k + 1] - edgesMin[k]
  return known / (edgesMin[ratesMmH.length] - edgesMin[0])
}

const yearSpan = (year: number): Span => ({ startMs: Date.UTC(year, 0, 1), endMs: Date.UTC(year + 1, 0, 1) })

/** Years that have frames, with the share of those that a whole year would have. */
async function countedYears(
  store: AnswerContext['store'],
  name: string,
  span: Span,
): Promise<{ year: number; share: number }[]> {
  const product = productOf(store, { p: name })
  const [first, latest] = [await store.index.first(product), await store.index.latest(product)]
  if (first === null || latest === null) return []
  const years: { year: number; share: number }[] = []
  for (let year = new Date(first).getUTCFullYear(); year <= new Date(latest).getUTCFullYear(); year++) {
    const own = yearSpan(year)
    if (own.startMs < span.startMs || own.endMs > span.endMs) continue
    const count = await store.index.count(product, own)
    const whole = (own.endMs - own.startMs) / 1000 / product.frameSeconds
    if (count > 0) years.push({ year, share: count / whole })
  }
  return years
}
