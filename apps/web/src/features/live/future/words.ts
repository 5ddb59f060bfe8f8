import { futureTexts as texts } from '../../../texts/future.ts'
import { nowcastTexts } from '../../../texts/nowcast.ts'
import type { Forecast, NoForecast } from './forecast.ts'

export function horizonWords({ horizonMin }: Pick<Forecast, 'horizonMin'>): string {
  if (horizonMin === null) return texts.unknownHorizon
  return horizonMin === 0 ? texts.lost : texts.horizon(horizonMin)
}

export const missingWords = (why: NoForecast): string =>
  why === 'over' || why === 'failed' ? nowcastTexts[why] : nowcastTexts.reasons[why]
