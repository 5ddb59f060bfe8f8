// The kernel on one thread, without shared memory.
import { finishRows, largestDepth, largestSpeed, sweep } from './core'
import { begin, bind, endRow, firstRow, flags } from './memory'

export { bind, largestDepth, largestSpeed }

export function step(): void {
  begin()
  const f = flags()
  const first = firstRow()
  const end = endRow()
  sweep(first, end, first, first, f)
  finishRows(end - 1, end, f)
}
