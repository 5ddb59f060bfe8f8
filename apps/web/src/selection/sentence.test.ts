import { expect, test } from 'vitest'
import { initialSelection, type Selection } from './selection.ts'
import { selectionSentence } from './sentence.ts'

const names = { timeZone: 'Europe/Paris', nameOf: (key: string) => key.toUpperCase() }
const base = initialSelection('2021-07')
const sentence = (
  start: [string | null, boolean],
  end: [string | null, boolean],
  slides: number | null = null,
  place: Partial<Selection> = {},
) =>
  selectionSentence(
    {
      ...base,
      ...place,
      selectionDates: {
        start: { date: start[0], setHour: start[1] },
        end: { date: end[0], setHour: end[1] },
      },
    },
    slides,
    names,
  )

test('the selection reads as one sentence at every step', () => {
  expect(sentence([null, false], [null, false])).toBe('dpsri, MELUN, aucune date choisie')
  expect(sentence(['2021-07-04', false], [null, false])).toBe(
    'dpsri, MELUN, le 04/07/2021, heure de début à choisir',
  )
  expect(sentence(['2021-07-04T15:50:00Z', true], ['2021-07-05', false])).toBe(
    'dpsri, MELUN, à partir du 04/07/2021 à 17:50, fin à choisir',
  )
  expect(sentence(['2021-07-04T15:50:00Z', true], ['2021-07-04T18:00:00Z', true], 26)).toBe(
    'dpsri, MELUN, le 04/07/2021 de 17:50 à 20:00 : 26 images',
  )
  expect(sentence(['2021-07-04T15:50:00Z', true], ['2021-07-04T22:30:00Z', true], 1)).toBe(
    'dpsri, MELUN, du 04/07/2021 à 17:50 au 05/07/2021 à 00:30 : 1 image',
  )
})

test('the place is the basin, its part, or the whole zone', () => {
  expect(sentence([null, false], [null, false], null, { subcatchment: 'nord' })).toMatch(
    /^dpsri, MELUN, NORD,/,
  )
  expect(sentence([null, false], [null, false], null, { catchment: null })).toMatch(
    /^dpsri, toute la zone du radar,/,
  )
})
