import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Runoff } from '@radx/hydrology/runoff/runoff'

/** Water in the measures of subcatchments over time: a row of 32-bit floats (m over their area) a period, one a subcatchment. */
export class MeasuresFile {
  private readonly file: number
  private readonly runoff: Runoff

  constructor(path: string, runoff: Runoff) {
    this.runoff = runoff
    this.file = openSync(path, 'w')
  }

  period(timeS: number): void {
    const row = Float32Array.from(
      this.runoff.subcatchments,
      (_, i) => this.runoff.stateOf(i, timeS).measuresM,
    )
    writeSync(this.file, new Uint8Array(row.buffer))
  }

  close(): void {
    closeSync(this.file)
  }
}

/** Depths by period of some subcatchments, m, every so many periods. @param count of all subcatchments */
export function readMeasures(
  path: string,
  count: number,
  elements: readonly number[],
  periods: readonly number[],
): number[][] {
  const bytes = readFileSync(path)
  return elements.map((k) =>
    periods.map((p) => {
      const at = 4 * (p * count + k)
      return at + 4 <= bytes.length ? bytes.readFloatLE(at) : 0
    }),
  )
}
