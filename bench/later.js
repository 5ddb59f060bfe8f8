// Loaded into a program before everything else: its clock is ahead by what a file says, ms, so that frames of hours are of minutes.
import { readFileSync } from 'node:fs'

const file = process.env.RADX_BENCH_AHEAD
if (file) {
  const Clock = Date
  /** How often the file is looked at, ms. */
  const EVERY_MS = 20
  let [aheadMs, readAt] = [0, Number.NEGATIVE_INFINITY]
  const now = () => {
    if (performance.now() - readAt > EVERY_MS) {
      readAt = performance.now()
      const said = Number.parseInt(readFileSync(file, 'utf8'), 10)
      if (Number.isFinite(said)) aheadMs = said
    }
    return Clock.now() + aheadMs
  }
  // A proxy, not a class of its own: dates of before and of other parts of the program stay dates.
  globalThis.Date = new Proxy(Clock, {
    construct: (made, values) => (values.length === 0 ? new made(now()) : new made(...values)),
    get: (made, name) => (name === 'now' ? now : Reflect.get(made, name)),
  })
}
