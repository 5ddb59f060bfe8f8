// The kernel on one thread, without shared memory.
import { rainChanged } from './balance'
import { finishRows, largestDepth, largestSpeed, sweep } from './core'
import { drainRow } from './drains'
import { prepare } from './levels'
import { begin, bind, endRow, firstRow, flags } from './memory'

export { GRAVITY } from './gravity'
export { bind, largestDepth, largestSpeed, prepare, rainChanged }

export function step(): void {
  begin()
  const f = flags()
  const first = firstRow()
  const end = endRow()
  drainRow(first)
  sweep(first, end, first, first, f)
  finishRows(end - 1, end, f)
}
