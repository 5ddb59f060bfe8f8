import { basename, extname, join } from 'node:path'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import type { Adjusted, AdjustMethod } from '@radx/rainfall/gauges/adjust'
import type { GaugeScores } from '@radx/rainfall/gauges/scores'
import { writeOut } from './given-paths.ts'
import type { RainFile, RainSeries } from './rain-files.ts'

/**
 * Names of what is written: those of the files, with the time where a file has several pictures or another file has
 * its name.
 */
function stemsOf({ frames }: RainSeries): string[] {
  const stems = frames.map(({ path }) => basename(path, extname(path)))
  const count = new Map<string, number>()
  for (const stem of stems) count.set(stem, (count.get(stem) ?? 0) + 1)
  return stems.map((stem, k) =>
    count.get(stem) === 1
      ? stem
      : `${stem}-${new Date(frames[k].timeMs!).toISOString().replace(/[-:]|\.000/g, '')}`,
  )
}

/** mm/h of a frame after adjustment. */
function adjustedRates(
  { rateMmH }: RainFile,
  radar: Float64Array,
  { field, factor }: Adjusted,
  hours: number,
): Float32Array {
  return rateMmH.map((rate, i) => {
    if (factor !== null) return rate * factor
    // Rain that only gauges saw is spread evenly over the time; NaN where the radar knows too little of a cell.
    return radar[i] > 0 ? rate * (field[i] / radar[i]) : rate + field[i] / hours
  })
}

export interface WrittenFrames {
  out: string
  method: AdjustMethod
  series: RainSeries
  /** mm over the common time. */
  radar: Float64Array
  result: Adjusted
  /** Of the common time. */
  hours: number
  leaveOneOut: GaugeScores
  onFrame: (done: number) => void
}

/** Writes adjusted frames as ODIM composites. @returns their names */
export async function writeFrames({
  out,
  method,
  series,
  radar,
  result,
  hours,
  leaveOneOut,
  onFrame,
}: WrittenFrames): Promise<string[]> {
  const names: string[] = []
  const stems = stemsOf(series)
  const { biasPct, rmse } = leaveOneOut
  for (const [k, frame] of series.frames.entries()) {
    const name = `${stems[k]}.adjusted.h5`
    names.push(name)
    const bytes = await writeOdimComposite({
      geometry: series.geometry!,
      datetime: new Date(frame.timeMs!).toISOString(),
      source: 'ORG:RadX',
      product: 'SURF',
      rateMmH: adjustedRates(frame, radar, result, hours),
      how: {
        task: `radx adjust ${method}`,
        gauges: result.used,
        original: basename(frame.path),
        // Says to other programs, and to this one, that the data are adjusted.
        bias: result.factor ?? meanRatio(result.field, radar),
        ...(biasPct !== null && { leave_one_out_bias_pct: biasPct }),
        ...(rmse !== null && { leave_one_out_rmse: rmse }),
      },
    })
    await writeOut(join(out, name), bytes)
    onFrame(k + 1)
  }
  return names
}

/** Adjusted over original rain, of the whole field. */
function meanRatio(field: Float64Array, radar: Float64Array): number {
  let [after, before] = [0, 0]
  for (let i = 0; i < field.length; i++)
    if (!Number.isNaN(field[i])) {
      after += field[i]
      before += radar[i]
    }
  return before > 0 ? after / before : 1
}
