import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@radx/contracts'
import { EV7 } from '@radx/contracts/simulation'
import { Demo } from '@radx/demo'
import { demoCatchment } from '@radx/demo/catchment/package'
import { loadSite } from '../apps/server/src/config/site.ts'
import { REFERENCE_DATA } from '../tests/conformance/reference-data.ts'
import type { BenchResult } from '../tools/bench.ts'
import { type BenchServer, startBenchServer, submitRun } from './radx-server.ts'

const RUNS = 3
const LOOK_EVERY_MS = 10

/** ev7 through the whole product: from the form's call to the finished run. */
export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-run-'))
  const server = await startBenchServer()
  try {
    await ingestEv7(server, join(folder, 'frames'))
    const demo = join(folder, 'catchment')
    mkdirSync(demo)
    for (const [name, text] of demoCatchment()) writeFileSync(join(demo, name), text)
    const real = join(REFERENCE_DATA, 'melun')
    const results: BenchResult[] = []
    for (const [name, dir] of [
      ['demonstration catchment', demo],
      ['Melun', real],
    ])
      if (existsSync(dir)) {
        await server.radx('catchment', 'import', dir)
        results.push(...(await measure(server, name)))
      }
    return results
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ingestEv7({ radx }: BenchServer, dir: string): Promise<void> {
  const { site } = await loadSite(resolve(import.meta.dirname, '../site'))
  const demo = new Demo(site)
  mkdirSync(dir)
  const paths = demo
    .radarInstants(EV7.product, Date.parse(EV7.start) - 600_000, Date.parse(EV7.end) + 600_000)
    .map((instant) => {
      const { name, bytes } = demo.radarFile(EV7.product, instant)
      writeFileSync(join(dir, name), bytes)
      return join(dir, name)
    })
  await radx('ingest', ...paths)
}

async function measure(server: BenchServer, name: string): Promise<BenchResult[]> {
  const first: number[] = []
  const whole: number[] = []
  const engine: number[] = []
  let mm = 0
  for (let k = 0; k < RUNS; k++) {
    const started = performance.now()
    const id = await submitRun(server, 'melun')
    let job: Job
    let told: number | null = null
    for (;;) {
      job = await server.call<Job>(`/api/job/${id}`)
      if (told === null && job.status !== 'pending' && job.msg !== '') told = performance.now() - started
      if (job.status === 'done' || job.status === 'error') break
      await sleep(LOOK_EVERY_MS)
    }
    if (job.status === 'error') throw new Error(job.error ?? '')
    whole.push((performance.now() - started) / 1000)
    first.push(told ?? 0)
    const { run, balance } = job.result as {
      run: { wallSeconds: number; activeCells: number }
      balance: { rainM3: number }
    }
    engine.push(run.wallSeconds)
    mm = (balance.rainM3 * 1000) / (run.activeCells * 100)
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  return [
    {
      name: `${name}: submission to first progress`,
      value: Math.round(median(first)),
      unit: 'ms',
      note: `slowest of ${RUNS} ${Math.round(Math.max(...first))} ms`,
      aim: '≤ 1000 ms',
    },
    {
      name: `${name}: ev7 from submission to result`,
      value: Math.round(median(whole) * 100) / 100,
      unit: 's',
      note: `${mm.toFixed(1)} mm of rain; the engine ${median(engine).toFixed(2)} s of it`,
      aim: '≤ 4 s',
    },
  ]
}
