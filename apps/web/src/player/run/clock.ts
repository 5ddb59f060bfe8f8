import { PLAYBACK_STEP_MS } from '@radx/contracts/constants'
import { PROFILE_FRAME_S } from '@radx/contracts/simulation-constants'
import { create } from 'zustand'

/** The moment that every part of a result shows. */
interface Clock {
  /** Seconds since the start of the run, 0 to `endS`. */
  timeS: number
  endS: number
  playing: boolean
  /** How many times the specified pace. */
  speed: Speed
}

/** A run of two days takes a minute and a bit at the last one. */
export const SPEEDS = [1, 5, 20] as const
export type Speed = (typeof SPEEDS)[number]
/** Frames a tick and ticks a step of the specified pace: faster play stays even. */
const PACE: Record<Speed, { frames: number; ticks: number }> = {
  1: { frames: 1, ticks: 1 },
  5: { frames: 1, ticks: 5 },
  20: { frames: 4, ticks: 5 },
}

export const useClock = create<Clock>()(() => ({ timeS: 0, endS: 0, playing: false, speed: 1 }))

/** A moment outside the run is its start. */
export function setTime(timeS: number): void {
  const { endS } = useClock.getState()
  useClock.setState({ timeS: timeS >= 0 && timeS <= endS ? timeS : 0 })
}

/** So many frames on or back, a minute each; beyond either end comes the start. */
export const stepClock = (by: number): void => {
  const { timeS } = useClock.getState()
  setTime((Math.floor(timeS / PROFILE_FRAME_S) + by) * PROFILE_FRAME_S)
}

/** Told of each moment that is shown: at every picture while it plays evenly, where the page follows less often. */
const watchers = new Set<(timeS: number) => void>()

/** @returns what ends it */
export function watchMoment(watch: (timeS: number) => void): () => void {
  watchers.add(watch)
  watch(useClock.getState().timeS)
  return () => watchers.delete(watch)
}
useClock.subscribe(({ timeS }, before) => {
  if (timeS !== before.timeS) for (const watch of watchers) watch(timeS)
})

let timer: ReturnType<typeof setInterval> | undefined
let picture: number | undefined
/** The page follows an even play so often, ms. */
const FOLLOW_MS = 200

/** Whether the clock moves at every picture of the screen; else by the minute. */
let even = false

/** Moves the clock at every picture of the screen, as fast as the steps of a minute would. */
function playEvenly(): void {
  const { endS, speed } = useClock.getState()
  const rate = (speed * PROFILE_FRAME_S) / PLAYBACK_STEP_MS
  let exact = useClock.getState().timeS
  let written = exact
  let [last, followed] = [performance.now(), performance.now()]
  const next = (now: number) => {
    // Somebody went elsewhere meanwhile.
    const { timeS } = useClock.getState()
    if (timeS !== written) exact = timeS
    written = timeS
    exact += rate * Math.min(FOLLOW_MS, now - last)
    last = now
    if (exact > endS) exact = 0
    if (now - followed >= FOLLOW_MS || exact === 0) {
      followed = now
      written = exact
      useClock.setState({ timeS: exact })
    } else for (const watch of watchers) watch(exact)
    picture = requestAnimationFrame(next)
  }
  picture = requestAnimationFrame(next)
}

function stopPlaying(): void {
  clearInterval(timer)
  timer = undefined
  if (picture !== undefined) cancelAnimationFrame(picture)
  picture = undefined
}

function setPlaying(playing: boolean): void {
  stopPlaying()
  const { speed, endS } = useClock.getState()
  const running = playing && endS > 0
  useClock.setState({ playing: running })
  if (!running) return
  if (even) playEvenly()
  else timer = setInterval(() => stepClock(PACE[speed].frames), PLAYBACK_STEP_MS / PACE[speed].ticks)
}

export const togglePlaying = (): void => setPlaying(!useClock.getState().playing)

export function setSpeed(speed: Speed): void {
  useClock.setState({ speed })
  setPlaying(useClock.getState().playing)
}

/**
 * Starts the clock of a run, paused.
 * @param endS the end of the run, s
 * @param timeS the moment shown first, s
 * @param evenly plays at every picture of the screen instead of by the minute
 * @returns what stops it
 */
export function startClock(endS: number, timeS: number, evenly = false): () => void {
  setPlaying(false)
  even = evenly
  useClock.setState({ endS })
  setTime(timeS)
  return () => {
    setPlaying(false)
    useClock.setState({ timeS: 0, endS: 0 })
  }
}
