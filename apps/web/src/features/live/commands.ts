import { type Position, placeOf, played, stepped } from './future/player.ts'
import { leaveFuture, useFuture } from './future/store.ts'
import { dispatch, useLive } from './state/store.ts'

export function position(): Position {
  const { data, counter } = useLive.getState()
  const { lead, forecast } = useFuture.getState()
  return { count: data?.images.length ?? 0, counter, lead, forecast }
}

/** Shows an image of the window, or a lead of the forecast behind the last one. */
export function goTo(place: number): void {
  const { count } = position()
  const lead = place < count ? null : place - count
  dispatch({ type: 'chosen', counter: Math.min(place, count - 1) })
  if (useFuture.getState().lead !== lead) useFuture.setState({ lead })
}

/** Steps over images and leads, round at both ends. */
export function step(by: 1 | -1): void {
  const at = position()
  if (at.count > 0) goTo(stepped(at, by))
}

/** The next picture of playing: after the last trusted lead comes the first image. */
export function advance(): void {
  const at = position()
  if (at.lead === null && at.counter + 1 < at.count) dispatch({ type: 'advanced' })
  else if (at.count > 0) goTo((placeOf(at) + 1) % played(at))
}

export function togglePlay(): void {
  dispatch({ type: useLive.getState().playing ? 'paused' : 'played' })
}

/** Back to the newest image, which then moves on by itself. */
export function followLive(): void {
  leaveFuture()
  dispatch({ type: 'followed' })
}
