import { expect, test } from 'vitest'
import { readAddress, scaleValue, writeAddress } from './address.ts'

test('[MRR-17] [MRR-18] a day clears the hour; an hour and minute is a timestamp', () => {
  const at = new URLSearchParams('jour=2023-03-22&heure=2023-03-22T01:35:00.000Z')
  expect(readAddress(at)).toMatchObject({ day: '2023-03-22', hour: '2023-03-22T01:35:00.000Z' })
  expect(readAddress(writeAddress(at, { day: '2023-03-23' })).hour).toBeNull()
  expect(readAddress(writeAddress(at, { hour: '2023-03-22T02:00:00.000Z' })).day).toBe('2023-03-22')
})

test('[MRR-21] the two controls go from 0.1 to 10 in steps of 0.1 and start at 3', () => {
  expect([null, '', 'x', '0', '99', '2.34'].map(scaleValue)).toEqual([3, 3, 3, 0.1, 10, 2.3])
})

test('what an address may hold is checked, defaults are left out of it', () => {
  const odd = new URLSearchParams('jour=hier&heure=x&v=XX&palette=rose&seuil=abc')
  expect(readAddress(odd)).toEqual({
    day: null,
    hour: null,
    variable: 'LWC',
    palette: 'turbo',
    threshold: 3,
    max: null,
  })
  const params = writeAddress(new URLSearchParams(), { palette: 'inferno 2', threshold: 1.5 })
  expect(readAddress(params)).toMatchObject({ palette: 'inferno 2', threshold: 1.5 })
  expect(writeAddress(params, { palette: 'turbo', threshold: 3 }).toString()).toBe('')
})

test('the scale fits by itself until a largest value is chosen, be it the default one', () => {
  expect(readAddress(new URLSearchParams('max=')).max).toBe(3)
  const chosen = writeAddress(new URLSearchParams('heure=2023-03-22T01:35:00.000Z'), { max: 3 })
  expect(readAddress(chosen).max).toBe(3)
  expect(writeAddress(chosen, { max: null }).has('max')).toBe(false)
})
