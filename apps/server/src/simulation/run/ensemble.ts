import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import {
  DEPTH_FRAME_NO_DATA,
  ENSEMBLE_COURSES,
  ENSEMBLE_FLOOD_M,
  ENSEMBLE_QUANTILES,
  type Ensemble,
  type EnsembleCourse,
  type EnsembleMember,
} from '@radx/contracts'
import { quantile } from '@radx/hydrology/ensemble/spread'
import type { RadarRain, Rain } from '@radx/hydrology/rain/rain'
import { csvText } from '@radx/locale/csv'
import { type CoarseOverModel, checkWet, memberRain, seedOf } from '../rain/member-rain.ts'
import { readCourse } from '../result/course.ts'
import { readMaxDepth } from '../result/max-depth.ts'
import { SeriesTable } from '../result/series-table.ts'
import { OUTPUT, writeJson } from './outputs.ts'
import { type RunTask, runSimulation, type SimulationResult } from './run.ts'

/** Values of all series of all members that are kept, at most: a quarter of a gigabyte. */
const MOST_VALUES = 60_000_000

/** Everything but the rain and the folder, which each member has for itself. */
type MemberTask = Omit<RunTask, 'rain' | 'outDir' | 'onProgress' | 'onWarning'>

export interface EnsembleTask {
  task: MemberTask
  /** Folder of the finished run without downscaling, to which the ensemble is added. */
  dir: string
  control: { rain: Rain; result: SimulationResult }
  coarse: CoarseOverModel
  choice: Ensemble
  onMember(done: number): void
}

/** What is read off one member (or the run without downscaling) before its files go. */
interface Read {
  about: EnsembleMember
  timesS: number[]
  courses: Record<EnsembleCourse, number[]>
  depthMm: Uint16Array
  links: SeriesOf
  nodes: SeriesOf
}

/** Values of a file over time, `[element][moment]`. */
interface SeriesOf {
  timesS: number[]
  names: readonly string[]
  values: number[][]
}

/**
 * Runs the members one after the other and adds `ensemble.*` to the folder of the run: bands and members over time,
 * series of the sewer, largest depths.
 * @throws RadxError for rain that cannot be taken apart; the signal's reason when aborted
 */
export async function runEnsemble(ensemble: EnsembleTask): Promise<void> {
  const { task, dir, control, coarse, choice, onMember } = ensemble
  checkWet(coarse)
  const reads: Read[] = [await readRun(dir, control.rain, control.result, null)]
  for (let k = 0; k < choice.members; k++) {
    task.signal?.throwIfAborted()
    const seed = seedOf(choice, k)
    const rain: RadarRain = memberRain(coarse, choice, seed)
    const home = mkdtempSync(join(dir, '.member-'))
    try {
      const outDir = join(home, 'run')
      reads.push(await readRun(outDir, rain, await runSimulation({ ...task, rain, outDir }), seed))
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
    onMember(k + 1)
  }
  write(dir, choice, reads)
}

async function readRun(
  dir: string,
  rain: Rain,
  { balance }: SimulationResult,
  seed: number | null,
): Promise<Read> {
  const course = await readCourse(dir)
  const limit = course.limitsM.indexOf(ENSEMBLE_FLOOD_M)
  const courses: Read['courses'] = { ...course, floodedM2: course.floodedM2[Math.max(0, limit)] }
  const { data } = await readMaxDepth(dir)
  const depthMm = Uint16Array.from(data, (depth) =>
    Number.isNaN(depth) ? DEPTH_FRAME_NO_DATA : Math.min(DEPTH_FRAME_NO_DATA - 1, Math.round(1000 * depth)),
  )
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0)
  const about: EnsembleMember = {
    seed,
    rainMm: course.rainMmH.reduce(
      (sum, rate, k) => sum + (k === 0 ? 0 : (rate * (course.timesS[k] - course.timesS[k - 1])) / 3600),
      0,
    ),
    meanMaxMmH: most(course.rainMmH),
    cellMaxMmH: largestRate(rain),
    floodedM2: most(courses.floodedM2),
    surfaceM3: most(course.surfaceM3),
    outfallM3: balance.outfallM3,
    maxDepthM: data.filter((depth) => depth >= 0).reduce((a, b) => Math.max(a, b), 0),
    relativeError: balance.relativeError,
  }
  const { timesS } = course
  const [links, nodes] = [await seriesOf(dir, OUTPUT.flow), await seriesOf(dir, OUTPUT.height)]
  return { about, timesS, courses, depthMm, links, nodes }
}

/** Largest rate of a model cell, mm/h. */
function largestRate(rain: Rain): number {
  let most = 0
  for (let k = 0; k + 1 < rain.edgesS.length; k++) {
    const rate = rain.rateMS(k)
    const here = typeof rate === 'number' ? rate : rate.reduce((a, b) => Math.max(a, b), 0)
    if (here > most) most = here
  }
  return most * 3.6e6
}

async function seriesOf(dir: string, name: string): Promise<SeriesOf> {
  const table = await SeriesTable.open(dir, name)
  const { timesS, series } = await table.columns([...table.names.keys()])
  return { timesS, names: table.names, values: series }
}

function write(dir: string, choice: Ensemble, reads: readonly Read[]): void {
  const [control, ...members] = reads
  const kept = (kind: 'links' | 'nodes') =>
    control[kind].values.length * control[kind].timesS.length * reads.length <= MOST_VALUES
  const names = (kind: 'links' | 'nodes') => (kept(kind) ? control[kind].names : [])
  if (kept('links')) writeSeries(dir, OUTPUT.ensembleFlow, reads, 'links')
  if (kept('nodes')) writeSeries(dir, OUTPUT.ensembleHeight, reads, 'nodes')
  writeJson(dir, OUTPUT.ensemble, {
    choice,
    timesS: control.timesS,
    control: control.about,
    members: members.map(({ about }) => about),
    courses: Object.fromEntries(
      ENSEMBLE_COURSES.map((name) => [name, reads.map(({ courses }) => courses[name])]),
    ),
    seriesTimesS: control.links.timesS,
    links: names('links'),
    nodes: names('nodes'),
    maps: writeMaps(dir, members),
  })
  writeFileSync(join(dir, OUTPUT.ensembleTable), tableOf(control.about, members))
}

/** `[element][run][moment]` as little-endian float32, the run without downscaling first: an element is one piece. */
function writeSeries(dir: string, name: string, reads: readonly Read[], kind: 'links' | 'nodes'): void {
  const { values, timesS } = reads[0][kind]
  const out = new Float32Array(values.length * reads.length * timesS.length)
  let at = 0
  for (let element = 0; element < values.length; element++)
    for (const read of reads) {
      out.set(read[kind].values[element], at)
      at += timesS.length
    }
  writeFileSync(join(dir, name), new Uint8Array(out.buffer))
}

/** Largest depths that 10, 50 and 90 % of the members lie below, then those of each; uint16 mm, zstd one by one. */
function writeMaps(dir: string, members: readonly Read[]): { offset: number; length: number }[] {
  const cells = members[0].depthMm.length
  const bands = ENSEMBLE_QUANTILES.map(() => new Uint16Array(cells))
  const sorted = new Uint16Array(members.length)
  for (let i = 0; i < cells; i++) {
    members.forEach(({ depthMm }, k) => {
      sorted[k] = depthMm[i]
    })
    sorted.sort()
    ENSEMBLE_QUANTILES.forEach((share, q) => {
      bands[q][i] = Math.round(quantile(sorted, share))
    })
  }
  const packed = [...bands, ...members.map(({ depthMm }) => depthMm)].map((codes) =>
    zstdCompressSync(new Uint8Array(codes.buffer)),
  )
  writeFileSync(join(dir, OUTPUT.ensembleDepth), Buffer.concat(packed))
  let offset = 0
  return packed.map(({ length }) => {
    offset += length
    return { offset: offset - length, length }
  })
}

function tableOf(control: EnsembleMember, members: readonly Read[]): string {
  const row = (name: string, { seed, ...about }: EnsembleMember) => [name, seed, ...Object.values(about)]
  const head = [
    ...['member', 'seed', 'rain_mm', 'mean_max_mm_h', 'cell_max_mm_h', 'flooded_10cm_m2', 'surface_m3'],
    ...['outfall_m3', 'max_depth_m', 'relative_error'],
  ]
  return csvText([head, row('control', control), ...members.map(({ about }, k) => row(String(k + 1), about))])
}
