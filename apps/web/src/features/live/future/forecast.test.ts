import type { Nowcast, NowcastPlace } from '@radx/contracts/nowcast'
import { describe, expect, test } from 'vitest'
import { arrowLines } from './arrows.ts'
import { forecastOf, isOld, isOver, sameMoment, trustedLeads } from './forecast.ts'
import { placeWords } from './place.ts'
import { type Position, placeOf, played, stepped } from './player.ts'

const ISSUED = Date.UTC(2021, 6, 4, 12, 30)
const MIN = 60_000
const at = (minutes: number) => new Date(ISSUED + minutes * MIN).toISOString()
const about = (over: Partial<Nowcast> = {}): Nowcast => ({
  product: 'sri',
  issued: at(0),
  reason: null,
  times: [5, 10, 15, 20].map(at),
  horizonMin: 10,
  skill: [],
  ...over,
})
const forecast = (over: Partial<Nowcast> = {}) => {
  const found = forecastOf(about(over))
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('a forecast', () => {
  test('has leads from its issue on; without any there is its reason', () => {
    expect(forecast().leads.map(({ leadMin }) => leadMin)).toEqual([5, 10, 15, 20])
    expect(forecast({ members: 20 }).members).toBe(20)
    expect(forecastOf(about({ reason: 'gap', times: [] }))).toBe('gap')
    expect(forecastOf(about({ issued: null }))).toBe('few-frames')
    expect(forecastOf(about({ times: [] }))).toBe('missing')
  })

  test('is old after 8 min, over with its last lead', () => {
    expect([8, 9].map((age) => isOld(at(0), ISSUED + age * MIN))).toEqual([false, true])
    expect([19, 20].map((age) => isOver(forecast(), ISSUED + age * MIN))).toEqual([false, true])
  })

  test('is trusted up to its horizon, and nowhere where that is unknown', () => {
    const trusted = [null, 0, 4, 5, 12, 20, 90].map((horizonMin) => trustedLeads(forecast({ horizonMin })))
    expect(trusted).toEqual([0, 0, 0, 1, 2, 4, 4])
  })

  test('of a later issue shows the same moment, or the nearest', () => {
    const { leads } = forecast()
    expect([at(10), at(12), at(-30), at(60)].map((time) => sameMoment(time, leads))).toEqual([1, 1, 0, 3])
    expect(sameMoment(at(5), [])).toBeNull()
  })
})

describe('the player', () => {
  const position = (over: Partial<Position>): Position => ({
    count: 3,
    counter: 2,
    lead: null,
    forecast: forecast(),
    ...over,
  })

  test('steps from the newest image into the forecast and round, and back from it to images', () => {
    expect(stepped(position({}), 1)).toBe(3)
    expect(stepped(position({ lead: 3 }), 1)).toBe(0)
    expect(stepped(position({ lead: 0 }), -1)).toBe(2)
    expect(stepped(position({ counter: 0 }), -1)).toBe(2)
    expect(stepped(position({ forecast: null }), 1)).toBe(0)
    // The window moved on while the reader looked at a lead.
    expect(placeOf(position({ counter: 1, lead: 1 }))).toBe(4)
  })

  test('[LIVE-27] plays on up to the horizon, beyond it only who stands there; without a forecast as ever', () => {
    expect(played(position({}))).toBe(5)
    expect(played(position({ lead: 1 }))).toBe(5)
    expect(played(position({ lead: 2 }))).toBe(7)
    expect(played(position({ forecast: forecast({ horizonMin: null }) }))).toBe(3)
    expect(played(position({ forecast: null }))).toBe(3)
  })
})

describe('the words for a place', () => {
  const place = (rain: (number | null)[], over: Partial<NowcastPlace> = {}): NowcastPlace => ({
    issued: at(0),
    horizonMin: 20,
    reason: null,
    classes: rain.map((code, k) => ({ leadMin: 5 * k, class: code })),
    rainInMin: null,
    dryInMin: null,
    ...over,
  })
  const words = (nowcast: NowcastPlace, ageMin = 0) =>
    placeWords(nowcast, ISSUED + ageMin * MIN).replaceAll('\u00a0', ' ')

  test('count from now, not from the issue', () => {
    const coming = place([0, 0, 0, 2, 2])
    expect(words(coming)).toBe('Pluie dans 15 min')
    expect(words(coming, 3)).toBe('Pluie dans 12 min')
    expect(words(coming, 16)).toBe('Il pleut, et encore pendant au moins 4 min'.replace("'", '’'))
    expect(words(coming, 20)).toMatch(/^La dernière prévision est dépassée/)
    // A clock that runs behind the server's.
    expect(words(coming, -4)).toBe('Pluie dans 15 min')
  })

  test('say when rain ends, when it stays dry, and how far that is known', () => {
    expect(words(place([1, 1, 0, 0, 0]))).toBe('Il pleut, fin dans 10 min')
    expect(words(place([0, 0, 0, null, null]))).toBe('Pas de pluie d’ici 10 min')
    expect(words(place([0, null, null]))).toMatch(/^Rien n’est connu en amont/)
    expect(words(place([null, null]))).toMatch(/ne voit pas ce lieu/)
    expect(words(place([0], { reason: 'dry' }))).toBe('Aucune pluie en vue : rien à prévoir.')
    expect(words(place([null], { reason: 'dry' }))).toMatch(/ne voit pas ce lieu/)
  })

  test('behind the horizon rain is possible, no more', () => {
    expect(words(place([0, 0, 0, 0, 0, 3]))).toMatch(/^Pluie possible dans 25 min/)
    expect(words(place([0, 3], { horizonMin: null }))).toMatch(/^Pluie possible dans 5 min/)
    expect(words(place([3, 3, 3, 3, 3, 0]))).toMatch(/^Il pleut, fin possible dans 25 min/)
  })

  test('name the reason where there is no forecast', () => {
    expect(words(place([], { reason: 'few-frames' }))).toMatch(/deux images/)
  })
})

test('an arrow is the way of ten minutes, with its head; rain that stands still has none', () => {
  const lines = arrowLines([
    { lat: 48, lng: 2, eastKmH: 0, northKmH: 60 },
    { lat: 48, lng: 2, eastKmH: 0.3, northKmH: 0.3 },
  ])
  expect(lines).toHaveLength(3)
  const [[from, to], left, right] = lines
  expect(from).toEqual([2, 48])
  expect(to[0]).toBeCloseTo(2, 9)
  expect((to[1] - from[1]) * 111.2).toBeCloseTo(10, 6)
  expect([left[0], right[0]]).toEqual([to, to])
  expect(left[1][1]).toBeLessThan(to[1])
  expect(left[1][0] - to[0]).toBeCloseTo(to[0] - right[1][0], 9)
})
