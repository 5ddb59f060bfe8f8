import type { LiveResponse } from '@radx/contracts/radar'
import { describe, expect, test } from 'vitest'
import { nearestImage } from '../../../player/nearest.ts'
import {
  initialLiveState,
  isMaking,
  type LiveAction,
  type LiveState,
  liveReducer,
  refreshing,
  refreshSpent,
  staleReason,
  windowIsDry,
} from './live-state.ts'

const START = Date.UTC(2021, 6, 4, 15, 50)
const instant = (frame: number) => new Date(START + frame * 206_000).toISOString()

/** Live data with the frames numbered `from` to `to`. */
function response(from: number, to: number, isRadarDown = false): LiveResponse {
  const images = Array.from({ length: to - from + 1 }, (_, i) => ({
    datetime: instant(from + i),
    path: '',
    time: '',
    localtime: '',
    date: '',
    mean: 0,
    nonzerosmean: 0,
    nonzerospc: 0,
    max: 0,
    maxAt: null,
    validpc: 100,
    catchment: null,
  }))
  return {
    images,
    isRadarDown,
    taranis: null,
    mrr: { latest: null },
    cumulated: { zoneMm: [], catchmentMm: null, missingSeconds: 0 },
  }
}

const after = (...actions: LiveAction[]): LiveState => actions.reduce(liveReducer, initialLiveState('dpsri'))
const received = (from: number, to: number): LiveAction => ({ type: 'received', data: response(from, to) })

describe('playback', () => {
  test('[LIVE-26] is either playing or paused, and paused at first', () => {
    expect(after(received(0, 4)).playing).toBe(false)
    expect(after(received(0, 4), { type: 'played' }).playing).toBe(true)
    expect(after(received(0, 4), { type: 'played' }, { type: 'paused' }).playing).toBe(false)
    expect(after({ type: 'played' }).playing).toBe(false)
  })

  test('[LIVE-27] the counter advances by one and wraps to 0 after the last frame', () => {
    const step: LiveAction = { type: 'advanced' }
    const start = after(received(0, 2), { type: 'chosen', counter: 1 })
    expect(liveReducer(start, step).counter).toBe(2)
    expect([step, step].reduce(liveReducer, start).counter).toBe(0)
    expect(after(step).counter).toBe(0)
  })

  test('[LIVE-28] a frame outside the range is ignored', () => {
    const start = after(received(0, 4), { type: 'chosen', counter: 2 })
    for (const counter of [-1, 5, 1.5, Number.NaN])
      expect(liveReducer(start, { type: 'chosen', counter })).toBe(start)
  })
})

describe('new data', () => {
  test('[LIVE-30] makes an untouched counter jump to the last image', () => {
    expect(after(received(0, 4)).counter).toBe(4)
    expect(after(received(0, 4), received(0, 6)).counter).toBe(6)
  })

  test('[LIVE-29] no longer moves a counter that the reader touched', () => {
    expect(after(received(0, 4), { type: 'chosen', counter: 2 }, received(0, 6)).counter).toBe(2)
  })

  test('[LIVE-29] keeps the moment that the reader chose when the window slides', () => {
    const state = after(received(0, 4), { type: 'chosen', counter: 3 }, received(2, 6))
    expect(state.data?.images[state.counter].datetime).toBe(instant(3))
    const gone = after(received(0, 4), { type: 'chosen', counter: 1 }, received(3, 4))
    expect(gone.counter).toBe(1)
  })

  test('following again jumps to the last image and lets new data move the counter', () => {
    const state = after(received(0, 4), { type: 'chosen', counter: 2 }, { type: 'followed' })
    expect(state).toMatchObject({ counter: 4, touched: false })
    expect(liveReducer(state, received(0, 5)).counter).toBe(5)
  })
})

describe('radar state', () => {
  test('[LIVE-31] [LIVE-35] [LIVE-36] is marked down or up as the responses say', () => {
    const down: LiveAction = { type: 'received', data: response(0, 4, true) }
    expect(after(down).isRadarDown).toBe(true)
    expect(after(down, received(0, 5)).isRadarDown).toBe(false)
  })
})

describe('images that are being made', () => {
  const NONE = { ...response(0, 0, true), images: [] }
  const newest = START + 9 * 206_000
  const minutes = (n: number) => n * 60_000
  test.each([
    ['no image yet, at a first start', NONE, START, START - 5_000, true],
    ['no image after minutes: it is told as it is', NONE, START, START - minutes(3), false],
    ['images of before a pause', response(0, 9, true), newest + minutes(90), newest + minutes(89), true],
    ['a break of the radar', response(0, 9, true), newest + minutes(40), newest + minutes(40), false],
    ['a radar that is not down', response(0, 9), newest + minutes(90), newest + minutes(90), false],
  ])('%s', (_, data, now, openedAt, making) => {
    expect(isMaking(after({ type: 'received', data }), now, openedAt)).toBe(making)
  })

  test('are no radar that is down; no network comes before both', () => {
    const state = after({ type: 'received', data: NONE })
    const around = { online: true, failed: false, making: true, now: START }
    expect(isMaking(initialLiveState('dpsri'), START, START)).toBe(false)
    expect(staleReason(state, around)).toBe('making')
    expect(staleReason(state, { ...around, making: false })).toBe('down')
    expect(staleReason(state, { ...around, online: false })).toBe('offline')
  })
})

describe('a window without rain', () => {
  const withCoverage = (...shares: (number | null)[]): LiveResponse => {
    const data = response(0, shares.length - 1)
    return { ...data, images: data.images.map((image, k) => ({ ...image, nonzerospc: shares[k] })) }
  }
  test.each([
    ['every frame dry, a few cells of clutter aside', withCoverage(0, 0.01, 0), true],
    ['rain an hour ago', withCoverage(0, 4, 0), false],
    ['a frame without valid cells says nothing', withCoverage(0, null, 0), false],
    ['no frame at all', { ...response(0, 0), images: [] }, false],
    ['a radar that is down', { ...withCoverage(0, 0), isRadarDown: true }, false],
  ])('%s', (_, data, dry) => {
    expect(windowIsDry(after({ type: 'received', data }))).toBe(dry)
  })

  test('nothing is said before the first answer', () => {
    expect(windowIsDry(initialLiveState('dpsri'))).toBe(false)
  })
})

describe('periodic refresh', () => {
  test('[LIVE-34] spends 120 s of 14,400 s a tick and ends after 120 ticks', () => {
    let state = after({ type: 'refreshStarted' })
    expect(state.refreshBudget).toBe(14_400)
    let ticks = 0
    while (refreshing(state) && ticks < 1000) {
      state = liveReducer(state, { type: 'refreshTicked' })
      ticks++
      if (ticks === 1) expect(state.refreshBudget).toBe(14_280)
    }
    expect(ticks).toBe(120)
    expect(refreshSpent(state)).toBe(true)
  })

  test('[LIVE-32] each timer can be started and killed', () => {
    expect(refreshing(after({ type: 'refreshStarted' }))).toBe(true)
    const killed = after({ type: 'refreshStarted' }, { type: 'killed' })
    expect(refreshing(killed)).toBe(false)
    expect(liveReducer(killed, { type: 'refreshTicked' })).toBe(killed)
    const playing = after(received(0, 4), { type: 'played' })
    expect(playing.playing).toBe(true)
    expect(liveReducer(playing, { type: 'paused' }).playing).toBe(false)
  })

  test('[LIVE-33] killing everything resets the state but keeps the product', () => {
    const state = after(
      { type: 'productSelected', product: 'sri' },
      received(0, 4),
      { type: 'chosen', counter: 1 },
      { type: 'played' },
      { type: 'refreshStarted' },
      { type: 'killed' },
    )
    expect(state).toEqual(initialLiveState('sri'))
  })

  test('[LIVE-38] selecting a product resets the state', () => {
    const state = after(
      received(0, 4),
      { type: 'chosen', counter: 1 },
      { type: 'productSelected', product: 'sri' },
    )
    expect(state).toEqual(initialLiveState('sri'))
  })

  test('another moment of the product that is shown keeps its images, which are not asked for again', () => {
    const before = after(
      { type: 'productSelected', product: 'sri' },
      received(0, 4),
      { type: 'refreshStarted' },
      { type: 'played' },
    )
    const state = liveReducer(before, { type: 'productSelected', product: 'sri', moment: instant(2) })
    expect(state).toEqual({ ...before, counter: 2, touched: true, playing: false })
  })
})

describe('a moment in the address', () => {
  const at = (moment: string) =>
    liveReducer(initialLiveState('dpsri', moment), { type: 'received', data: response(0, 9) })

  test('is shown and stays when it is among the images', () => {
    expect(at(instant(3))).toMatchObject({ counter: 3, touched: true, momentGone: false })
    expect(at(new Date(START + 3 * 206_000 + 60_000).toISOString()).counter).toBe(3)
  })

  test('that has left the window, or is none, gives the live image and says so', () => {
    for (const moment of ['2020-01-01T00:00:00Z', 'hier'])
      expect(at(moment)).toMatchObject({ counter: 9, touched: false, momentGone: true })
  })

  test('no image stands for a moment of an empty answer', () => {
    expect(nearestImage([], instant(0))).toBeNull()
  })
})
