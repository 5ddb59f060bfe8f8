import type { ObservedRun, ObservedRuns } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import { scoresOf, valuesAt } from '@radx/hydrology/calibration/scores'
import type { Selectable } from 'kysely'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { readFrameIndex, readFrames } from '../result/depth-frames.ts'
import { SeriesTable } from '../result/series-table.ts'
import { OUTPUT } from '../run/outputs.ts'
import { seriesOf } from './job.ts'
import type { Target } from './places.ts'
import type { ObservationTable } from './tables.ts'

/** A finished run to lay series over. */
export interface RunSeen {
  /** Folder of its files. */
  dir: string
  catchment: CatchmentPackage
  startMs: number
  durationS: number
}

/** Depth frames held at a time. */
const AT_A_TIME = 8

/**
 * Kept series beside what a run gave at their places and moments, with scores over a period.
 * @param period ms UTC; all of the run without
 * @throws OutputMissing
 */
export async function overlaid(
  run: RunSeen,
  rows: readonly Selectable<ObservationTable>[],
  period: { fromMs?: number; toMs?: number } = {},
): Promise<ObservedRuns> {
  const endMs = run.startMs + run.durationS * 1000
  const near = rows.filter((row) => row.last_at.getTime() >= run.startMs && row.first_at.getTime() <= endMs)
  const series: ObservedRun[] = []
  const courses = new RunCourses(run.dir)
  for (const row of near) {
    const { id, name, place, quantity } = row
    const about = { id, name, place, quantity }
    try {
      const { target, timesS, values } = seriesOf(row, run, period)
      const course = await courses.of(target)
      const simulated = valuesAt(course.timesS, course.values, timesS)
      series.push({
        ...about,
        problem: null,
        timesS: [...timesS],
        measured: Array.from(values, known),
        simulated: Array.from(simulated, known),
        scores: scoresOf(timesS, values, simulated),
      })
    } catch (error) {
      // A place that this version of the catchment lacks spoils no other series.
      if (!(error instanceof RadxError) || error.status !== 422) throw error
      series.push({ ...about, problem: error.message, timesS: [], measured: [], simulated: [], scores: null })
    }
  }
  return { start: new Date(run.startMs).toISOString(), durationS: run.durationS, series }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

interface Course {
  timesS: ArrayLike<number>
  values: ArrayLike<number>
}

/** Courses read off a run's files. */
class RunCourses {
  private readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  async of(target: Target): Promise<Course> {
    if (target.of === 'cells') return this.deepest(target.cells)
    const table = await SeriesTable.open(this.dir, target.of === 'link' ? OUTPUT.flow : OUTPUT.height)
    const { timesS, series } = await table.columns([target.at])
    // Means over the time since the line before stand for its middle.
    const middles = timesS.map((time, k) => (time + (k === 0 ? 0 : timesS[k - 1])) / 2)
    return { timesS: middles, values: series[0] }
  }

  private async deepest(cells: readonly number[]): Promise<Course> {
    const index = await readFrameIndex(this.dir)
    const size = index.nrows * index.ncols
    const values: number[] = []
    for (let from = 0; from < index.frames.length; from += AT_A_TIME) {
      const depths = await readFrames(this.dir, index, from, from + AT_A_TIME)
      for (let frame = 0; frame * size < depths.length; frame++) {
        let most = 0
        for (const cell of cells) most = Math.max(most, depths[frame * size + cell])
        values.push(most / 1000)
      }
    }
    return { timesS: index.frames.map(({ timeS }) => timeS), values }
  }
}
