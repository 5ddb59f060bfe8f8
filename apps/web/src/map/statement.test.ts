import { expect, test } from 'vitest'
import { imageInWords, placeInWords } from './statement.ts'

const towns = [
  { name: 'Paris', position: { lat: 48.8566, lng: 2.3522 }, rank: 1 as const },
  { name: 'Melun', position: { lat: 48.5421, lng: 2.6554 }, rank: 1 as const },
]
const site = { towns, timeZone: 'Europe/Paris' }
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const wet = {
  datetime: '2021-07-04T10:17:10Z',
  nonzerosmean: 12.04,
  nonzerospc: 3.25,
  max: 61,
  maxAt: { lat: 48.4521, lng: 2.7911 },
  validpc: 100,
}

test('the eight directions from the nearest town', () => {
  const around = [
    [0.1, 0],
    [0.1, 0.15],
    [0, 0.15],
    [-0.1, 0.15],
    [-0.1, 0],
    [-0.1, -0.15],
    [0, -0.15],
    [0.1, -0.15],
  ].map(([lat, lng]) => plain(placeInWords({ lat: 48.5421 + lat, lng: 2.6554 + lng }, towns)))
  expect(around).toEqual([
    ', à 11 km au nord de Melun',
    ', à 16 km au nord-est de Melun',
    ', à 11 km à l’est de Melun',
    ', à 16 km au sud-est de Melun',
    ', à 11 km au sud de Melun',
    ', à 16 km au sud-ouest de Melun',
    ', à 11 km à l’ouest de Melun',
    ', à 16 km au nord-ouest de Melun',
  ])
  expect(placeInWords({ lat: 48.85, lng: 2.36 }, towns)).toBe(', à Paris')
  expect(placeInWords({ lat: 48.85, lng: 2.36 }, [])).toBe('')
})

test('an image with rain: when, mean, maximum and where, coverage', () => {
  expect(plain(imageInWords(wet, site))).toBe(
    'Carte radar, 04/07/2021 - 12:17:10 : 12,0 mm/h en moyenne là où il pleut, maximum 61,0 mm/h, à 14 km au sud-est de Melun, pluie sur 3,3 % de la zone.',
  )
})

test('a dry image, one with a part missing, and one without any data', () => {
  const dry = { ...wet, nonzerosmean: 0, nonzerospc: 0, max: 0, maxAt: null }
  expect(plain(imageInWords(dry, site))).toMatch(/: pas de pluie\.$/)
  expect(plain(imageInWords({ ...dry, validpc: 60 }, site))).toMatch(
    /: pas de pluie, 40 % de la zone sans donnée\.$/,
  )
  const none = { ...dry, nonzerosmean: null, nonzerospc: null, max: null, validpc: 0 }
  expect(plain(imageInWords(none, site))).toMatch(/: 100 % de la zone sans donnée\.$/)
})
