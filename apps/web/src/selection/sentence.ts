import { countFr, formatDateFr, formatHourMinuteFr } from '@radx/locale/format-fr'
import { civilDay } from '@radx/locale/time'
import { chosenPeriod, type Selection } from './selection.ts'

export interface SentenceNames {
  timeZone: string
  /** Name of a catchment or sub-catchment; its key when unknown. */
  nameOf: (key: string) => string
}

/** The place in words. */
export function placeText(
  { catchment, subcatchment }: Pick<Selection, 'catchment' | 'subcatchment'>,
  nameOf: SentenceNames['nameOf'],
): string | null {
  if (catchment === null) return null
  return subcatchment === null ? nameOf(catchment) : `${nameOf(catchment)}, ${nameOf(subcatchment)}`
}

/** A period in words: its day once when both ends share it. */
export function periodText(s: string, e: string, timeZone: string): string {
  const [start, end] = [Date.parse(s), Date.parse(e)]
  const date = (ms: number) => formatDateFr(ms, timeZone)
  const hour = (ms: number) => formatHourMinuteFr(ms, timeZone)
  return civilDay(start, timeZone) === civilDay(end, timeZone)
    ? `le ${date(start)} de ${hour(start)} à ${hour(end)}`
    : `du ${date(start)} à ${hour(start)} au ${date(end)} à ${hour(end)}`
}

/**
 * The selection in one sentence, whatever of it is chosen so far.
 * @param slides number of images, once it is known
 */
export function selectionSentence(
  selection: Selection,
  slides: number | null,
  { timeZone, nameOf }: SentenceNames,
): string {
  const parts = [selection.selectedProduct]
  parts.push(placeText(selection, nameOf) ?? 'toute la zone du radar')
  const period = chosenPeriod(selection)
  const { start } = selection.selectionDates
  if (period) parts.push(periodText(period.s, period.e, timeZone))
  else if (start.date === null) parts.push('aucune date choisie')
  else if (start.setHour)
    parts.push(
      `à partir du ${formatDateFr(start.date, timeZone)} à ${formatHourMinuteFr(start.date, timeZone)}, fin à choisir`,
    )
  else
    parts.push(`le ${formatDateFr(`${start.date.slice(0, 10)}T12:00:00Z`, 'UTC')}, heure de début à choisir`)
  const text = parts.join(', ')
  if (period === null || slides === null) return text
  return `${text} : ${countFr(slides, 'image')}`
}
