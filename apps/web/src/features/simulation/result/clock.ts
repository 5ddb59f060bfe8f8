import { PLAYBACK_STEP_MS } from '@radx/contracts/constants'
import { PROFILE_FRAME_S } from '@radx/contracts/simulation-constants'
import { create } from 'zustand'

/** The moment that every part of a result shows. */
interface Clock {
  /** Seconds since the start of the run, 0 to `endS`. */
  timeS: number
  endS: number
  playing: boolean
}

export const useClock = create<Clock>()(() => ({ timeS: 0, endS: 0, playing: false }))

/** A moment outside the run is its start. */
export function setTime(timeS: number): void {
  const { endS } = useClock.getState()
  useClock.setState({ timeS: timeS >= 0 && timeS <= endS ? timeS : 0 })
}

/** One frame on or back, a minute each; beyond either end comes the start. */
export const stepClock = (by: 1 | -1): void => {
  const { timeS } = useClock.getState()
  setTime((Math.floor(timeS / PROFILE_FRAME_S) + by) * PROFILE_FRAME_S)
}

let timer: ReturnType<typeof setInterval> | undefined

function setPlaying(playing: boolean): void {
  clearInterval(timer)
  timer = playing ? setInterval(() => stepClock(1), PLAYBACK_STEP_MS) : undefined
  useClock.setState({ playing })
}

export const togglePlaying = (): void => {
  const { playing, endS } = useClock.getState()
  setPlaying(!playing && endS > 0)
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
