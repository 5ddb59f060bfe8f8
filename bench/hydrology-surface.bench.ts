import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { createSurface } from '@radx/hydrology/surface/surface'
import type { KernelChoice } from '@radx/hydrology/surface/types'
import { fullScheme, fullThreaded, reference, simd, threaded } from '@radx/hydrology/testing/kernels'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { readCatchmentPackage } from '../apps/server/src/simulation/catchment/catchment-package.ts'
import { melunSurface } from '../tests/conformance/melun.ts'
import type { BenchResult } from '../tools/bench.ts'

const STEP_S = 2
/** The fastest wave of the full equations allows no longer one. */
const FULL_STEP_S = 1
const DEPTH_M = 0.5
const REPEATS = 5
const STORM_REPEATS = 3

/** Rough plane, all wet, no soil: every cell costs. Depths are compared with the C build's. */
function wetPlane(n: number, choice: KernelChoice) {
  const elevationM = Float64Array.from(
    { length: n * n },
    (_, k) => 0.01 * (k % n) + 0.05 * Math.sin(k * 0.37),
  )
  const grid = { nrows: n, ncols: n, cellSizeM: 10, elevationM }
  const surface = createSurface(
    grid,
    { manning: new Float64Array(n * n).fill(0.03), edges: 'closed' },
    choice,
  )
  for (let cell = 0; cell < n * n; cell++) surface.setDepth(cell, DEPTH_M)
  return surface
}

/** CPU seconds of this process, all threads: other programs do not count. */
function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1e6
}

function updatesPerSecond(
  n: number,
  steps: number,
  choice: KernelChoice,
  stepS = STEP_S,
): { rate: number; sum: number } {
  const surface = wetPlane(n, choice)
  for (let k = 0; k < steps; k++) surface.step(stepS)
  // The best of a few: neighbours on the machine only ever make it slower.
  const parts = Math.min(steps, REPEATS)
  const each = Math.ceil(steps / parts)
  let seconds = Number.POSITIVE_INFINITY
  for (let part = 0; part < parts; part++) {
    const used = cpuSeconds(() => {
      for (let k = 0; k < each; k++) surface.step(stepS)
    })
    seconds = Math.min(seconds, used)
  }
  const sum = surface.volumes().surfaceM3 / 100
  surface.dispose()
  return { rate: (n * n * each) / seconds, sum }
}

/** The same scheme in C, or null without a compiler. */
function scalarC(
  name: 'surface' | 'full',
  n: number,
  steps: number,
  stepS = STEP_S,
): { rate: number; sum: number } | null {
  const dir = mkdtempSync(join(tmpdir(), 'radx-bench-'))
  try {
    const source = join(import.meta.dirname, `c/${name}.c`)
    const program = join(dir, 'surface')
    execFileSync('gcc', ['-O3', '-fno-tree-vectorize', '-o', program, source, '-lm'], {
      stdio: 'pipe',
    })
    const runs = Array.from({ length: REPEATS }, () =>
      execFileSync(program, [n, n, steps, stepS].map(String), { encoding: 'utf8' })
        .trim()
        .split(' ')
        .map(Number),
    )
    return { rate: (n * n * steps) / Math.min(...runs.map(([seconds]) => seconds)), sum: runs[0][1] }
  } catch {
    return null
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function kernels(): BenchResult[] {
  const results: BenchResult[] = []
  const add = (name: string, rate: number, note?: string, aim?: string) =>
    results.push({ name, value: rate / 1e6, unit: 'M mailles/s', note, aim })
  const fast = updatesPerSecond(400, 300, simd())
  const slow = updatesPerSecond(400, 40, reference)
  const c = scalarC('surface', 400, 40)
  add(
    '400 x 400, SIMD, un coeur',
    fast.rate,
    `${(fast.rate / slow.rate).toFixed(1)} fois la référence TypeScript`,
  )
  add('400 x 400, référence TypeScript f64', slow.rate)
  if (c) {
    add('400 x 400, C scalaire f64', c.rate, 'gcc -O3 -fno-tree-vectorize')
    results.push({ name: 'SIMD contre C scalaire', value: fast.rate / c.rate, unit: 'fois', aim: '≥ 8' })
  } else results.push({ name: 'C scalaire', value: 0, unit: 'M mailles/s', note: 'pas de compilateur C' })
  return results
}

/** The full equations, first order. */
function fullKernels(): BenchResult[] {
  const small = updatesPerSecond(400, 200, fullScheme(1), FULL_STEP_S)
  const large = updatesPerSecond(1612, 20, fullScheme(1), FULL_STEP_S)
  const c = scalarC('full', 400, 40, FULL_STEP_S)
  const rate = (name: string, value: number, note?: string): BenchResult => ({
    name,
    value: value / 1e6,
    unit: 'M mailles/s',
    note,
  })
  return [
    rate('équations complètes, 400 x 400, ordre 1, un coeur', small.rate),
    {
      ...rate('équations complètes, 2,6 millions de mailles', large.rate),
      note: `${(large.rate / small.rate).toFixed(2)} de la petite grille`,
      aim: '≥ 0,75 de la petite grille',
    },
    ...(c
      ? [
          rate('équations complètes, C scalaire f64', c.rate, 'gcc -O3 -fno-tree-vectorize'),
          {
            name: 'équations complètes contre C scalaire',
            value: small.rate / c.rate,
            unit: 'fois',
            aim: '≥ 5',
          },
        ]
      : []),
  ]
}

function growth(): BenchResult[] {
  return [100, 200, 500, 1000, 2000].map((n) => {
    const steps = Math.max(5, Math.round(2e7 / (n * n)))
    const { rate } = updatesPerSecond(n, steps, simd())
    return { name: `${n} x ${n}, SIMD`, value: rate / 1e6, unit: 'M mailles/s' }
  })
}

/** The program as its users start it, with the sewer and all its files; the best of a few. */
function simulate(folder: string, iMax: number, threads: number): BenchResult {
  const root = mkdtempSync(join(tmpdir(), 'radx-bench-'))
  const program = resolve(import.meta.dirname, '../apps/server/bin/radx.js')
  const storm = ['--virtual', `simple:30,15,${iMax},390`, '--modules', 'soil,drainage']
  try {
    const runs = Array.from({ length: STORM_REPEATS }, (_, k) => {
      const out = join(root, `run-${k}`)
      const started = performance.now()
      const choice = ['--scheme', 'inertial', '--threads', `${threads}`]
      const args = [program, 'simulate', folder, ...storm, ...choice, '--out', out]
      execFileSync(process.execPath, args, { stdio: 'ignore' })
      const wall = (performance.now() - started) / 1000
      const { wallSeconds, steps } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
      return { wall, wallSeconds, steps }
    }).sort((a, b) => a.wall - b.wall)
    const [{ wall, wallSeconds, steps }] = runs
    return {
      name: `7 h à Melun, ${iMax / 4} mm, radx simulate avec réseau et fichiers, ${threads} fil(s)`,
      value: wall,
      unit: 's',
      note: `dont ${wallSeconds.toFixed(1)} s de calcul et de fichiers, ${steps} pas`,
    }
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** The same storm with the full equations, beside what local inertia took. */
function fullStorm(
  melun: Awaited<ReturnType<typeof readCatchmentPackage>>,
  rain: ReturnType<typeof uniformRain>,
  iMax: number,
  threads: number,
  inertialCpu: number,
): BenchResult {
  const surface = melunSurface(melun, rain, threads > 1 ? fullThreaded(1, threads) : fullScheme(1))
  const cpu = cpuSeconds(() => surface.advance(rain.durationS))
  surface.surface.dispose()
  return {
    name: `7 h à Melun, ${iMax / 4} mm, équations complètes contre inertie locale, ${threads} fil(s)`,
    value: cpu / inertialCpu,
    unit: 'fois',
    note: `${cpu.toFixed(1)} s de processeur, ${surface.steps} pas`,
    aim: '≤ 5, mieux 2,5',
  }
}

async function storms(): Promise<BenchResult[]> {
  const folder = resolve(import.meta.dirname, '../../shared/data/melun')
  if (!existsSync(folder)) return [{ name: 'Melun', value: 0, unit: 's', note: 'données absentes' }]
  const melun = await readCatchmentPackage(folder)
  const results: BenchResult[] = []
  for (const [iMax, surfaceAim, coupledAim] of [
    [80, '1 à 3 s', '≤ 3 s'],
    [320, '1 à 3 s', '≤ 5 s'],
  ] as const) {
    const rain = uniformRain(virtualRain('simple', { d: 30, t: 15, iMax, calmAfter: 390 }), 60)
    for (const threads of [1, 2]) {
      if (threads > cpus().length) continue
      const surface = melunSurface(melun, rain, threads > 1 ? threaded(threads) : simd())
      const started = performance.now()
      const cpu = cpuSeconds(() => surface.advance(rain.durationS))
      const wall = (performance.now() - started) / 1000
      surface.surface.dispose()
      results.push(fullStorm(melun, rain, iMax, threads, cpu))
      results.push({
        name: `7 h à Melun, ${iMax / 4} mm, surface et sol, ${threads} fil(s)`,
        value: wall,
        unit: 's',
        note: `${cpu.toFixed(1)} s de processeur, ${surface.steps} pas`,
        aim: surfaceAim,
      })
      results.push({ ...simulate(folder, iMax, threads), aim: coupledAim })
    }
  }
  return results
}

/** Surface kernel, growth with the grid, and whole storms on Melun. Rates are per CPU second, storms wall time. */
export async function run(): Promise<BenchResult[]> {
  return [...kernels(), ...fullKernels(), ...growth(), ...(await storms())]
}
