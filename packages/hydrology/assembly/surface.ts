// The kernel on one thread, without shared memory.
import { begin, bind, endRow, finishRows, firstRow, flags, largestDepth, largestSpeed, sweep } from './core'

export { bind, largestDepth, largestSpeed }

export function step(): void {
  begin()
  const f = flags()
  const first = firstRow()
  const end = endRow()
  sweep(first, end, first, first, f)
  finishRows(end - 1, end, f)
}
