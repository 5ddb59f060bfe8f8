import { setPriority } from 'node:os'

/** Background work yields to answers, and long answers to short ones; on Linux this counts for the calling thread alone. */
export function beNice(level: number): void {
  try {
    if (process.platform === 'linux') setPriority(0, level)
  } catch {
    // Some containers forbid it; it is a courtesy.
  }
}
