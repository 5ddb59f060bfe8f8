import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCatchment } from '@radx/demo/catchment/package'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { EVERY_S, liveSetup } from '../apps/server/src/ahead/steps.ts'
import { decodeState, encodeState, forecastOf, LiveEngine } from '../apps/server/src/simulation/api.ts'
import { readCatchmentPackage } from '../apps/server/src/simulation/catchment/catchment-package.ts'
import type { BenchResult } from '../tools/bench.ts'

/** It has rained so long before a member begins, and for so long that goes on in it, s. */
const BEFORE_S = 1_800
const RAIN_S = 3_600
const MEMBER_S = 7_200
const REPEATS = 3
const MEMBERS = 20

const RAINS: readonly [name: string, mmH: number, aim?: string][] = [
  // 21 of them and their gathering on two cores within 120 s, 30 s in light rain.
  ['40 mm in the hour', 40, '≤ 10 s'],
  ['10 mm in the hour', 10],
  ['2 mm in the hour', 2, '≤ 2.5 s'],
  ['dry, what fell drains', 0],
]

/** A member of a flood forecast on the demonstration's town, its state and its gathering; processor seconds of one thread. */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'radx-bench-ahead-'))
  try {
    mkdirSync(join(dir, 'town'))
    for (const [name, text] of demoCatchment()) writeFileSync(join(dir, 'town', name), text)
    const catchment = await readCatchmentPackage(join(dir, 'town'))
    let engine: LiveEngine | undefined
    const made = seconds(() => {
      engine = new LiveEngine(liveSetup(catchment))
    })
    return [result('engine put together', made, 's'), ...measure(engine!)]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function measure(engine: LiveEngine): BenchResult[] {
  const results: BenchResult[] = []
  const wet = engine.carryOn(engine.start(), uniformRain([20], BEFORE_S), BEFORE_S)
  const horizon = { untilS: BEFORE_S + MEMBER_S, everyS: EVERY_S }
  for (const [name, mmH, aim] of RAINS) {
    const rain = uniformRain([0, ...new Array<number>(RAIN_S / BEFORE_S).fill(mmH)], BEFORE_S)
    const used = best(() => engine.member(wet, rain, horizon))
    results.push(result(`member of two hours, ${name}`, used, 's', aim))
  }
  let bytes = encodeState(wet)
  const saved = best(() => {
    bytes = encodeState(engine.carryOn(wet, uniformRain([0], 1), wet.about.timeS))
  })
  const restored = best(() =>
    engine.carryOn(decodeState(bytes, 'state'), uniformRain([0], 1), wet.about.timeS),
  )
  const members = Array.from({ length: MEMBERS }, (_, k) =>
    engine.member(wet, uniformRain([0, 10 + 2 * k, 10 + 2 * k], BEFORE_S), {
      ...horizon,
      untilS: BEFORE_S + 4 * EVERY_S,
    }),
  )
  const gathered = best(() => forecastOf(members)) * (MEMBER_S / (4 * EVERY_S))
  return [
    ...results,
    { name: 'state, size', value: bytes.length / 1e6, unit: 'MB', aim: '≤ 10 MB' },
    result('state taken and written', saved, 's', '≤ 0.3 s'),
    result('state read and put back', restored, 's', '≤ 0.3 s'),
    result(`${MEMBERS} members put together, 24 moments`, gathered, 's'),
  ]
}

const result = (name: string, value: number, unit: string, aim?: string): BenchResult => ({
  ...{ name, value: Math.round(value * 1000) / 1000, unit, aim },
})

const best = (work: () => unknown): number =>
  Math.min(...Array.from({ length: REPEATS }, () => seconds(work)))

function seconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1e6
}
