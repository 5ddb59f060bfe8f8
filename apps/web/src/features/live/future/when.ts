import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { futureTexts as texts } from '../../../texts/future.ts'
import { minutesTo } from './forecast.ts'

/** How far away the moment of a lead is. */
export function whenWords(time: string, nowMs: number): string {
  const minutes = minutesTo(time, nowMs)
  if (minutes === 0) return texts.present
  return minutes > 0 ? texts.in(minutes) : texts.past(-minutes)
}

export const issuedWords = (issued: string, timeZone: string): string =>
  texts.issued(formatHourMinuteFr(issued, timeZone))
