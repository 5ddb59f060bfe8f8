import { useEffect, useMemo } from 'react'
import { useGauges } from '../../gauges/useGauges.ts'
import type { FrameGrid } from '../../map/frames/FrameCache.ts'
import { useLiveGauges } from './state/gauges.ts'

/** Keeps the gauges of a signed-in user over the live window for the map and the column. */
export default function GaugeSource({ grid, newest }: { grid: FrameGrid; newest: string | null }) {
  const period = useMemo(() => ({ newest }), [newest])
  const gauges = useGauges(grid.product, grid, period)
  useEffect(() => useLiveGauges.setState({ gauges }), [gauges])
  useEffect(() => () => useLiveGauges.setState({ gauges: null }), [])
  return null
}
