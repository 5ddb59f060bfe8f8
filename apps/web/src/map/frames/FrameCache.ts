import type { Bounds } from '@radx/contracts/site'
import { unpackRuns } from './packbits.ts'

export interface FrameGrid {
  product: string
  bounds: Bounds
  steps: number
}

/**
 * The frames of one product in memory, compressed, by their UTC instant, however it is written. The graphics card holds
 * what is about to be shown; everything else waits here, so that nothing is fetched twice.
 */
export class FrameCache {
  readonly grid: FrameGrid
  private frames = new Map<number, Uint8Array>()
  private listeners = new Set<(times: readonly string[]) => void>()

  constructor(grid: FrameGrid) {
    this.grid = grid
  }

  get size(): number {
    return this.frames.size
  }

  has(time: string): boolean {
    return this.frames.has(Date.parse(time))
  }

  add(frames: readonly { time: string; packed: Uint8Array }[]): void {
    for (const { time, packed } of frames) this.frames.set(Date.parse(time), packed)
    const times = frames.map((frame) => frame.time)
    for (const listener of this.listeners) listener(times)
  }

  /** Forgets frames that left the window. */
  retain(times: readonly string[]): void {
    const kept = new Set(times.map((time) => Date.parse(time)))
    for (const time of this.frames.keys()) if (!kept.has(time)) this.frames.delete(time)
  }

  /** Writes the class block of a frame into `out`; false when it is not here. */
  read(time: string, out: Uint8Array): boolean {
    const packed = this.frames.get(Date.parse(time))
    if (packed === undefined) return false
    unpackRuns(packed, out)
    return true
  }

  /** The frames that are here, laid over other bounds. */
  laidOver(bounds: Bounds): FrameCache {
    const moved = new FrameCache({ ...this.grid, bounds })
    for (const [time, packed] of this.frames) moved.frames.set(time, packed)
    return moved
  }

  /** Calls back with the instants of frames as they arrive. */
  subscribe(listener: (times: readonly string[]) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
