import { expect, test } from 'vitest'
import { selectionOf, writeSelection } from './address.ts'
import { chooseCatchment, chosenPeriod, stepBack } from './selection.ts'

const ground = {
  products: [
    { shortName: 'dpsri', activeStatus: true },
    { shortName: 'sri', activeStatus: true },
    { shortName: 'cappi', activeStatus: false },
  ],
  defaultProduct: 'dpsri',
  defaultCatchment: 'melun',
  timeZone: 'Europe/Paris',
  today: '2026-06-15',
}
const read = (text: string) => selectionOf(new URLSearchParams(text), ground)
const write = (selection: ReturnType<typeof read>) => {
  const params = new URLSearchParams()
  writeSelection(params, selection, ground)
  return params.toString()
}

test('[ANA-26] [ANA-28] [ANA-29] an empty address is the first selection: dpsri, Melun, this month, no date', () => {
  expect(read('')).toEqual({
    selectedProduct: 'dpsri',
    selectionDates: { start: { date: null, setHour: false }, end: { date: null, setHour: false } },
    dateCursor: '2026-06',
    activeDay: null,
    catchment: 'melun',
    subcatchment: null,
  })
  expect(write(read(''))).toBe('')
})

test('a complete selection survives an address', () => {
  const text =
    'p=sri&c=bievre&sc=bievre-aval&s=2021-07-04T21%3A50%3A00Z&e=2021-07-04T22%3A30%3A00Z&d=2021-07-05&m=2021-07'
  const selection = read(text)
  expect(chosenPeriod(selection)).toEqual({ s: '2021-07-04T21:50:00Z', e: '2021-07-04T22:30:00Z' })
  expect(read(write(selection))).toEqual(selection)
  expect(new URLSearchParams(write(selection))).toEqual(new URLSearchParams(text))
})

test('without a day in the address the last chosen moment tells it, on the clocks of the site', () => {
  expect(read('s=2021-07-04T22:10:00Z')).toMatchObject({ activeDay: '2021-07-05', dateCursor: '2021-07' })
})

test('no catchment is written so, because the default one is left out', () => {
  const none = chooseCatchment(read(''), 'melun')
  expect(write(none)).toBe('c=-')
  expect(read('c=-&sc=melun-rive-droite')).toMatchObject({ catchment: null, subcatchment: null })
})

test('an end whose hour was taken back is a day in the address', () => {
  const back = stepBack(read('s=2021-07-04T15:50:00Z&e=2021-07-04T22:30:00Z'))
  expect(read(write(back)).selectionDates.end).toEqual({ date: '2021-07-05', setHour: false })
})

test('what makes no sense is left out', () => {
  for (const text of ['p=cappi', 'p=none', 's=2021-13-45', 's=hier', 'm=2021-00', 'e=2021-07-04T10:00:00Z'])
    expect(read(text)).toEqual(read(''))
  expect(read('m=2018-05').dateCursor).toBe('2019-01')
  expect(read('s=2021-07-04T10:00:00Z&e=2021-07-04T09:00:00Z').selectionDates.end.setHour).toBe(false)
})
