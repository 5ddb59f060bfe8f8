import type { SewerNetwork } from '@radx/contracts'
import { expect } from 'vitest'
import type { createSewer } from '../solver.ts'
import { conduit, junction, network, outfall, type section, steady } from './build.ts'

/** Pipe of 20 reaches on one slope, fed at the top. */
export function channel(
  shape: ReturnType<typeof section>,
  slope: number,
  flow: number,
  options = {},
): SewerNetwork {
  const reaches = 20
  const step = 25
  const nodes = Array.from({ length: reaches }, (_, i) =>
    junction(`J${i}`, 100 - i * step * slope, { inflows: i === 0 ? [steady(flow)] : [] }),
  )
  return network(
    [...nodes, outfall('O', 100 - reaches * step * slope, { boundary: { type: 'normal' } })],
    nodes.map((_, i) => conduit(`C${i}`, i, i + 1, step, shape)),
    options,
  )
}

/** What came in is there, to 1e-9. */
export const closes = (sewer: ReturnType<typeof createSewer>) => {
  const { error, inflow, initial } = sewer.totals()
  expect(Math.abs(error) / Math.max(1, inflow + initial)).toBeLessThan(1e-9)
}
