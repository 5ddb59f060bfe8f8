import { dispatch, useLive } from './state/store.ts'

/** Steps over the frames, round at both ends. */
export function step(by: 1 | -1): void {
  const { data, counter } = useLive.getState()
  const count = data?.images.length ?? 0
  if (count > 0) dispatch({ type: 'chosen', counter: (counter + by + count) % count })
}

export function togglePlay(): void {
  dispatch({ type: useLive.getState().playing ? 'paused' : 'played' })
}
