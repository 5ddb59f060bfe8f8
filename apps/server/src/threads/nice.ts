import { getPriority, setPriority } from 'node:os'

/**
 * How far threads stand back behind the one that takes calls, 0 to 19. What somebody waits for comes first, and a new
 * image is on the map before anything is computed from it.
 */
export const NICE = {
  /** Answers that are computed: charts, tables, totals. */
  answers: 2,
  /** Files of instruments, from the inbox to the store. */
  ingest: 3,
  /** Rain of the next hours after each frame: floods are forecast from it, as jobs. */
  forecasts: 4,
  /** Runs and exports. */
  jobs: 5,
  /** Pixel tiles, rain between frames and what forecasts were worth, once frames are there. */
  derived: 10,
  /** Days of the demonstration that are over. */
  past: 15,
} as const

/**
 * On Linux this counts for the calling thread, and for those that it starts.
 * @param level beyond what the program was started with
 */
export function beNice(level: number): void {
  try {
    if (process.platform === 'linux') setPriority(0, Math.min(19, getPriority(0) + level))
  } catch {
    // Some containers forbid it; it is a courtesy.
  }
}
