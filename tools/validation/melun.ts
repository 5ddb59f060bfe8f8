import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import type { Simulation } from '@radx/hydrology/simulation'
import type { SurfaceOptions } from '@radx/hydrology/surface/types'
import { reference, simd, threaded } from '@radx/hydrology/testing/kernels'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import type { CatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { OUTPUT } from '../../apps/server/src/simulation/run/outputs.ts'
import { runSimulation } from '../../apps/server/src/simulation/run/run.ts'
import { compareMaxima, melunSurface, readMelun, triangle } from '../../tests/conformance/melun.ts'
import type { ValidationSection } from './section.ts'
import { figure, table } from './section.ts'

const PEAKS = [80, 320]

function advanced(
  melun: CatchmentPackage,
  iMax: number,
  toS: number,
  choice = simd(),
  options: SurfaceOptions = {},
): Simulation {
  const run = melunSurface(melun, triangle(iMax, 30), choice, options)
  run.advance(toS)
  return run
}

function row(label: string, a: Simulation, b: Simulation): string[] {
  const found = compareMaxima(a, b)
  return [
    label,
    figure(found.depthP99M * 1000),
    figure(found.depthLargestM * 1000),
    `${found.over10mm} of ${found.cells}`,
    `${figure(found.relativeDepthP99 * 100)} %`,
    `${figure(found.relativeSpeedP99 * 100)} %`,
    figure(found.fastestMS),
  ]
}

const HEADER = [
  'compared',
  'depth p99, mm',
  'largest, mm',
  'cells over 10 mm',
  'depth p99',
  'speed p99',
  'fastest, m/s',
]

function steps(melun: CatchmentPackage): string[] {
  const lines: string[] = []
  for (const iMax of PEAKS) {
    const run = (share: number, froudeLimit = 1.5) =>
      advanced(melun, iMax, 3600, simd(), { cfl: 0.7 * share, maxStepS: 5 * share, froudeLimit })
    const quarter = run(0.25)
    const free = run(0.25, Number.POSITIVE_INFINITY)
    lines.push(
      `Triangle of 30 min with a peak of ${iMax} mm/h (${iMax / 4} mm), first hour:`,
      '',
      ...table(HEADER, [
        row('chosen step against a quarter of it', run(1), quarter),
        row('half the step against a quarter', run(0.5), quarter),
        row('limiter against none, both a quarter', quarter, free),
        row('no limiter: chosen step against a quarter', run(1, Number.POSITIVE_INFINITY), free),
      ]),
    )
  }
  return [
    '### Step and limiter',
    '',
    'Largest depths and speeds of each cell, cells wetter than 1 mm. Gate: 5 % at the 99th percentile. The limiter',
    'holds a face to a Froude number of 1.5, or to normal flow down its bed (slope at most 15 %) where that is',
    'faster: sheet flow on steep streets passes, roll waves do not grow.',
    '',
    ...lines,
  ]
}

function kernels(melun: CatchmentPackage): string[] {
  const fast = advanced(melun, 80, 1800)
  const slow = advanced(melun, 80, 1800, reference)
  const two = advanced(melun, 80, 1800, threaded(2))
  const same = Buffer.from(fast.surface.snapshot('depth').buffer).equals(
    Buffer.from(two.surface.snapshot('depth').buffer),
  )
  two.surface.dispose()
  return [
    '### Kernels and threads',
    '',
    'Half an hour of the 20 mm storm, each kernel with its own steps.',
    '',
    ...table(HEADER, [row('SIMD against the f64 reference', fast, slow)]),
    `One thread and two: ${same ? 'the same bits' : 'DIFFERENT BITS'}.`,
    '',
  ]
}

async function coupled(melun: CatchmentPackage): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'radx-validate-'))
  const rows: string[][] = []
  try {
    for (const iMax of PEAKS) {
      const outDir = join(root, String(iMax))
      const series = virtualRain('simple', { d: 30, t: 15, iMax, calmAfter: 390 })
      const { balance, run } = await runSimulation({
        catchment: melun,
        rain: uniformRain(series, 60),
        options: { soil: true, drainage: true },
        outDir,
      })
      const [, taken, given] = /Avaloirs : (\d+) m³ pris, (\d+) m³ rendus/.exec(
        readFileSync(join(outDir, OUTPUT.log), 'utf8'),
      )!
      const m3 = (value: number) => String(Math.round(value))
      rows.push([
        `${iMax / 4} mm`,
        m3(balance.rainM3),
        m3(balance.interceptedM3),
        m3(balance.infiltratedM3),
        m3(balance.surfaceM3),
        m3(balance.waterM3),
        m3(balance.edgeOutM3),
        m3(balance.sewerM3),
        m3(balance.outfallM3),
        taken,
        given,
        figure(balance.relativeError, 2),
        String(run.steps),
      ])
    }
  } finally {
    rmSync(root, { recursive: true })
  }
  return [
    '### Coupled event of 7 h',
    '',
    'Surface, soil and sewer, m3. The conformance test recomputes the balance from the written files (bound 1e-6).',
    '',
    ...table(
      [
        'storm',
        'rain',
        'intercepted',
        'infiltrated',
        'surface',
        'open water',
        'edges',
        'sewer',
        'outfalls',
        'gullies took',
        'given back',
        'error / rain',
        'steps',
      ],
      rows,
    ),
  ]
}

export const section: ValidationSection = {
  title: 'Melun, 10 m',
  order: 3,
  async run() {
    const melun = await readMelun()
    return [...steps(melun), ...kernels(melun), ...(await coupled(melun))]
  },
}
