import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOdim } from '@radx/formats/odim/odim'
import type { RainFrame } from '@radx/motion/field'
import { forecastSprog } from '@radx/motion/nowcast/sprog'
import { type NowcastStart, startNowcast } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { showers } from '@radx/motion/testing/weather'
import { estimateMotion } from '@radx/motion/tracking/estimate'
import { motionKernel } from '../apps/server/src/store/motion-kernel.ts'
import type { BenchResult } from '../tools/bench.ts'
import { forecastServed } from './forecast-served.ts'

const shape = { nrows: 500, ncols: 500 }
const LEADS = Array.from({ length: 24 }, (_, k) => 5 * (k + 1))
const MEMBERS = 20
const REFERENCE = join(import.meta.dirname, '../../shared/data/odim/rmi-20210704')

/**
 * Motion, two hours and an ensemble on 500 x 500 cells, seconds of processor, so that neighbours do not count; then the time from
 * a live file to its forecast, by the clock.
 */
export async function run(): Promise<BenchResult[]> {
  const frames = await threeFrames()
  const follow = motionKernel('follow')
  const fft = motionKernel('fft')
  // Once before, as a server does that has made a forecast: so that the code is compiled.
  const start = startNowcast(frames, shape, follow) as NowcastStart
  for (let k = 0; k < 2; k++) forecastSprog(start, LEADS, { wasm: fft, trend: true })
  const motion = seconds(() => estimateMotion(frames, shape, follow))
  const motionPlain = seconds(() => estimateMotion(frames, shape))
  const sprog = seconds(() => forecastSprog(start, LEADS, { wasm: fft, trend: true }))
  const steps = seconds(() =>
    forecastSteps(start, { leadsMin: LEADS, members: MEMBERS, seed: 1, kmPerCell: 1, wasm: fft }, () => {}),
  )
  const result = (name: string, value: number, aim: string, note?: string): BenchResult => ({
    name,
    value: Math.round(value * 100) / 100,
    unit: 's',
    aim,
    note,
  })
  return [
    result('motion, three frames', motion, '≤ 0.3 s', `reference in TypeScript ${motionPlain.toFixed(2)} s`),
    result('S-PROG, 24 leads to two hours', sprog, '≤ 0.5 s'),
    result(`STEPS, ${MEMBERS} members, 24 leads`, steps, '≤ 10 s', 'one thread'),
    {
      name: 'memory of it all',
      value: Math.round(process.resourceUsage().maxRSS / 1024),
      unit: 'MB',
      aim: '≤ 500 MB',
    },
    ...(await forecastServed()),
  ]
}

/** The reference event where it is at hand, else showers. */
async function threeFrames(): Promise<RainFrame[]> {
  if (!existsSync(REFERENCE)) return showers(shape, [0.8, -1.2], [0, 5, 10], 1)
  const names = readdirSync(REFERENCE).sort().slice(0, 3)
  return Promise.all(
    names.map(async (name) => {
      const { datetime, rateMmH, ncols } = await readOdim(readFileSync(join(REFERENCE, name)))
      const part = new Float32Array(shape.nrows * shape.ncols)
      for (let row = 0; row < shape.nrows; row++)
        part.set(rateMmH.subarray((200 + row) * ncols + 50, (200 + row) * ncols + 550), row * shape.ncols)
      return { timeMs: Date.parse(datetime), rateMmH: part }
    }),
  )
}

function seconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1e6
}
