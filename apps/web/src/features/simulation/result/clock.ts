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

let timer: ReturnType<typeof setInterval> | undefined

function setPlaying(playing: boolean): void {
  clearInterval(timer)
  const { frames, ticks } = PACE[useClock.getState().speed]
  timer = playing ? setInterval(() => stepClock(frames), PLAYBACK_STEP_MS / ticks) : undefined
  useClock.setState({ playing })
}

export const togglePlaying = (): void => {
  const { playing, endS } = useClock.getState()
  setPlaying(!playing && endS > 0)
}

export function setSpeed(speed: Speed): void {
  useClock.setState({ speed })
  setPlaying(useClock.getState().playing)
}

/** Starts the clock of a run, standing at a moment. @returns what stops it */
export function startClock(endS: number, timeS: number): () => void {
  setPlaying(false)
  useClock.setState({ endS })
  setTime(timeS)
  return () => {
    setPlaying(false)
    useClock.setState({ timeS: 0, endS: 0 })
  }
}
