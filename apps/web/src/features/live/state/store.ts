import { create } from 'zustand'
import { initialLiveState, type LiveAction, type LiveState, liveReducer } from './live-state.ts'

/** The live page's store; components read single fields, so that a frame step redraws only what shows it. */
export const useLive = create<LiveState>()(() => initialLiveState(''))

export const dispatch = (action: LiveAction) => useLive.setState((state) => liveReducer(state, action), true)

export const currentImage = (state: LiveState) => state.data?.images[state.counter] ?? null
