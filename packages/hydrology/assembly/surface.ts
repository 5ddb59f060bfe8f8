// The kernel on one thread, without shared memory.
import { begin, bind, endRow, firstRow, flags, largestDepth, largestSpeed, limitRow, phaseBalance, phaseFlux, SAMPLE } from './core'

export { bind, largestDepth, largestSpeed }

export function step(): void {
  begin()
  const f = flags()
  phaseFlux(firstRow(), endRow(), (f & SAMPLE) != 0)
  limitRow(firstRow())
  phaseBalance(firstRow(), endRow(), f)
}
