import { discreteCascade } from '@radx/scaling/cascade'
import { downscale } from '@radx/scaling/downscale'
import { seededRandom } from '@radx/scaling/random'
import type { BenchResult } from '../tools/bench.ts'

const MEMBERS = 50
/** Two hours of the X-band radar over the 3.4 km of Melun. */
const FRAMES = 35
const SIDE = 16

/** Members of an event over Melun, 250 m to 31 m and by four in time; seconds of processor on one thread. */
export function run(): BenchResult[] {
  const random = seededRandom(1)
  const rateMmH = Array.from({ length: FRAMES }, () =>
    Float32Array.from(discreteCascade({ alpha: 1.7, c1: 0.1 }, 4, 2, random), (rate) => 10 * rate),
  )
  const rain = { nrows: SIDE, ncols: SIDE, rateMmH }
  const options = { alpha: 1.7, c1: 0.1, spaceSteps: 3, timeSteps: 2 }
  downscale(rain, { ...options, seed: 0 })
  const before = process.cpuUsage()
  for (let seed = 1; seed <= MEMBERS; seed++) downscale(rain, { ...options, seed })
  const seconds = process.cpuUsage(before).user / 1e6
  return [
    {
      name: `downscaling, ${MEMBERS} members of two hours over Melun`,
      value: Math.round(10 * seconds) / 10,
      unit: 's',
      aim: '≤ 20 s',
      note: 'one thread',
    },
  ]
}
