import { LIVE_REFRESH_BUDGET_SECONDS, LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import type { LiveResponse } from '@radx/contracts/radar'
import { nearestImage } from '../../../player/nearest.ts'

/** The live page's state (specification 1, section 4). Pure data: timers and calls live outside. */
export interface LiveState {
  product: string
  data: LiveResponse | null
  /** Which image is on the map. */
  counter: number
  /** The reader chose a moment: new data no longer moves it. */
  touched: boolean
  playing: boolean
  isRadarDown: boolean
  /** Seconds left for automatic refreshing; null while it does not run. */
  refreshBudget: number | null
  /** A moment asked for by the address, until data tells whether it is there. */
  wantedMoment: string | null
  /** The address named a moment that is not among the images. */
  momentGone: boolean
}

export type LiveAction =
  | { type: 'received'; data: LiveResponse }
  | { type: 'chosen'; counter: number }
  | { type: 'advanced' }
  | { type: 'followed' }
  | { type: 'played' }
  | { type: 'paused' }
  | { type: 'refreshStarted' }
  | { type: 'refreshTicked' }
  | { type: 'killed' }
  | { type: 'productSelected'; product: string; moment?: string | null }

export function initialLiveState(product: string, moment: string | null = null): LiveState {
  return {
    product,
    data: null,
    counter: 0,
    touched: false,
    playing: false,
    isRadarDown: false,
    refreshBudget: null,
    wantedMoment: moment,
    momentGone: false,
  }
}

export function liveReducer(state: LiveState, action: LiveAction): LiveState {
  switch (action.type) {
    case 'received':
      return received(state, action.data)
    case 'chosen':
      return choose(state, action.counter)
    case 'advanced':
      return advance(state)
    case 'followed':
      return { ...state, touched: false, playing: false, momentGone: false, counter: lastIndex(state.data) }
    case 'played':
      return state.data === null ? state : { ...state, playing: true, touched: true }
    case 'paused':
      return { ...state, playing: false }
    case 'refreshStarted':
      return { ...state, refreshBudget: LIVE_REFRESH_BUDGET_SECONDS }
    case 'refreshTicked':
      return tick(state)
    case 'killed':
      return initialLiveState(state.product)
    case 'productSelected':
      return selected(state, action.product, action.moment ?? null)
  }
}

const lastIndex = (data: LiveResponse | null) => Math.max(0, (data?.images.length ?? 0) - 1)

function received(state: LiveState, data: LiveResponse): LiveState {
  const next = { ...state, data, isRadarDown: data.isRadarDown, wantedMoment: null }
  if (state.wantedMoment !== null) {
    const found = nearestImage(data.images, state.wantedMoment)
    return found === null
      ? { ...next, counter: lastIndex(data), touched: false, momentGone: true }
      : { ...next, counter: found, touched: true }
  }
  if (!state.touched) return { ...next, counter: lastIndex(data) }
  // The window slides: the reader's moment stays, under its new number.
  const shown = state.data?.images[state.counter]?.datetime
  const kept = data.images.findIndex((image) => image.datetime === shown)
  return { ...next, counter: kept >= 0 ? kept : Math.min(state.counter, lastIndex(data)) }
}

/** Images of the product that is shown already stay: they are not asked for again. */
function selected(state: LiveState, product: string, moment: string | null): LiveState {
  const next = initialLiveState(product, moment)
  if (state.product !== product || state.data === null) return next
  return received({ ...next, refreshBudget: state.refreshBudget }, state.data)
}

function choose(state: LiveState, counter: number): LiveState {
  const inside = Number.isInteger(counter) && counter >= 0 && counter < (state.data?.images.length ?? 0)
  return inside ? { ...state, counter, touched: true, momentGone: false } : state
}

function advance(state: LiveState): LiveState {
  const count = state.data?.images.length ?? 0
  return count === 0 ? state : { ...state, counter: (state.counter + 1) % count }
}

/** One tick spends its seconds; with none left, refreshing ends. */
function tick(state: LiveState): LiveState {
  if (state.refreshBudget === null) return state
  const left = state.refreshBudget - LIVE_REFRESH_SECONDS
  return { ...state, refreshBudget: Math.max(0, left) }
}

export const refreshing = (state: LiveState) => state.refreshBudget !== null && state.refreshBudget > 0

/** The refresh budget has been spent; the reader may start it again. */
export const refreshSpent = (state: LiveState) => state.refreshBudget === 0

/** Why the page is not live: no network, no answer, images still being made, radar down, or an image that is overdue. */
export type StaleReason = 'offline' | 'silent' | 'making' | 'down' | 'late'

/** An image comes every 206 s and the page asks every 120 s: beyond both and a delay on the way, one is overdue. */
const LATE_MS = 8 * 60_000

type Seen = Pick<LiveState, 'data' | 'isRadarDown'>

export function staleReason(
  state: Seen,
  { online, failed, making, now }: { online: boolean; failed: boolean; making: boolean; now: number },
): StaleReason | null {
  if (!online) return 'offline'
  if (failed) return 'silent'
  if (making) return 'making'
  if (state.isRadarDown) return 'down'
  const newest = state.data?.images.at(-1)?.datetime
  return newest !== undefined && now - Date.parse(newest) > LATE_MS ? 'late' : null
}

/** The breaks of a demonstration's own radar are shorter. */
const LONGEST_BREAK_MS = 60 * 60_000
/** So long after it was opened a page takes missing images for ones that come. */
const MAKING_MS = 2 * 60_000

/**
 * A demonstration writes its first images, or those of the time when it did not run.
 * @param openedAt when the page was opened, ms: what does not come for minutes is told as what it is
 */
export function isMaking({ data, isRadarDown }: Seen, now: number, openedAt: number): boolean {
  if (!isRadarDown || data === null || now - openedAt > MAKING_MS) return false
  const newest = data.images.at(-1)?.datetime
  return newest === undefined || now - Date.parse(newest) > LONGEST_BREAK_MS
}

/** Coverage below which a frame counts as dry, %: a few cells of clutter are no rain. */
const DRY_PCT = 0.05

/** The radar saw no rain in any frame of the window; not said while it is down. */
export const windowIsDry = ({ data, isRadarDown }: Seen) =>
  !isRadarDown &&
  data !== null &&
  data.images.length > 0 &&
  data.images.every(({ nonzerospc }) => nonzerospc !== null && nonzerospc < DRY_PCT)
