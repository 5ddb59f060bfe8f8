import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SewerNetwork } from '@radx/contracts'
import { createRunoff } from '@radx/hydrology/runoff/runoff'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { conduit, junction, network, outfall, section, steady } from '@radx/hydrology/sewer/testing/build'
import { runoffWasm, sewerWasm } from '@radx/hydrology/testing/kernels'
import type { BenchResult } from '../tools/bench.ts'
import { runOurs } from '../tools/swmm/compare.ts'
import { runEpa, withOptions } from '../tools/swmm/epa.ts'
import { yearOfRunoff } from './runoff-year.ts'

/** A binary tree of pipes, each junction fed. */
function tree(junctions: number): SewerNetwork {
  const nodes = Array.from({ length: junctions }, (_, i) =>
    junction(`J${i}`, 10 + 0.2 * Math.floor(Math.log2(i + 1)), { inflows: [steady(0.001)] }),
  )
  const pipes = nodes.map((_, i) =>
    conduit(`C${i}`, i, i === 0 ? junctions : (i - 1) >> 1, 50, section('CIRCULAR', i < 64 ? 1.5 : 0.5)),
  )
  return network([...nodes, outfall('O', 9.8)], pipes)
}

/** Milliseconds of processor a step, compiled as in a run, after warming up. */
function stepMs(net: SewerNetwork, steps: number): number {
  const sewer = createSewer(net, { wasm: sewerWasm() })
  for (let i = 0; i < 20; i++) sewer.step(4)
  const started = process.cpuUsage()
  for (let i = 0; i < steps; i++) sewer.step(4)
  return process.cpuUsage(started).user / 1000 / steps
}

/** A year of 10,000 subcatchments, as a run steps it: nodes are given their water every 5 min. */
function runoffOfYear(dryStepS: number): BenchResult {
  const model = yearOfRunoff(10_000, dryStepS)
  const run = createRunoff(model, 1000, runoffWasm())
  const volumes = new Float64Array(1000)
  const [clock, before] = [performance.now(), process.cpuUsage()]
  for (let t = 0; t < model.durationS; t += 300) run.volumesTo(t + 300, volumes)
  const { user, system } = process.cpuUsage(before)
  const { error, rain } = run.totals()
  return {
    name: `runoff of 10,000 subcatchments over a year, dry steps of ${dryStepS / 60} min`,
    value: (user + system) / 1e6,
    unit: 's',
    aim: '60 s',
    note: `processor time; ${((performance.now() - clock) / 1000).toFixed(1)} s by the clock, ${run.steps} steps, balance ${Math.abs(error / rain).toExponential(0)}`,
  }
}

export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = [runoffOfYear(3600), runoffOfYear(300)]
  for (const size of [100, 1000, 10_000]) {
    results.push({
      name: `step, tree of ${size} junctions`,
      value: stepMs(tree(size), size < 10_000 ? 300 : 100),
      unit: 'ms',
      note: 'processor time',
    })
  }
  const file = resolve(import.meta.dirname, '../../shared/data/melun/network-with-inflows.inp')
  if (!existsSync(file)) return results
  const inp = readFileSync(file, 'utf8')
  const hours = 7
  const started = process.cpuUsage()
  const ours = runOurs(inp, { maxStepS: 5 })
  const cpu = process.cpuUsage(started).user / 1e6
  results.push({
    name: `Melun, ${hours} h, ours`,
    value: cpu,
    unit: 's',
    note: `processor time, reading included; ${ours.seconds.toFixed(1)} s by the clock, ${ours.sewer.steps} steps`,
  })
  // Half an hour of the storm, reports rare: EPA SWMM's own time grows with the hours.
  const short = withOptions(inp, { END_TIME: '00:30:00', REPORT_STEP: '00:30:00' })
  const before = process.cpuUsage()
  await runEpa(short)
  const epa = process.cpuUsage(before).user / 1e6
  const again = process.cpuUsage()
  runOurs(short, { maxStepS: 5 })
  const same = process.cpuUsage(again).user / 1e6
  results.push(
    {
      name: 'Melun, first 0.5 h, EPA SWMM (WebAssembly)',
      value: epa,
      unit: 's',
      note: 'its own steps of 1 s',
    },
    { name: 'Melun, first 0.5 h, ours', value: same, unit: 's' },
    { name: 'EPA SWMM over ours', value: epa / same, unit: '×', aim: '≥ 4 × (native)' },
  )
  return results
}
