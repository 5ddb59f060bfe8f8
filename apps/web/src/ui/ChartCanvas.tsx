import type { ChartSize } from '@radx/charts/theme'
import type { EChartsOption } from 'echarts'
import { useEffect, useRef, useState } from 'react'
import classes from './Chart.module.css'
import { type ECharts, init } from './echarts.ts'

export interface CanvasProps {
  height: number
  /** Builds the chart for the room there is; memoise it, a new function draws anew. */
  build: (size: ChartSize) => EChartsOption
  /** Merged into the drawn chart, e.g. the mark of the current frame. */
  patch?: EChartsOption
  /** Called with the instant (ms) under a click. */
  onPick?: (instantMs: number) => void
  /** Registers parts of the chart library that this chart needs beyond the usual ones; a constant. */
  parts?: () => Promise<unknown>
}

/** What a chart is drawn on. @throws what kept its parts from coming, for the guard around it */
export default function ChartCanvas({ height, build, patch, onPick, parts }: CanvasProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [chart, setChart] = useState<ECharts | null>(null)
  const [failed, setFailed] = useState<{ error: unknown } | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  if (failed !== null) throw failed.error

  useEffect(() => {
    const element = ref.current
    let made: ECharts | null = null
    let gone = false
    Promise.resolve(parts?.())
      .then(() => {
        if (gone || element === null) return
        made = init(element, null, { height })
        made.getZr().on('click', ({ offsetX }) => {
          if (pick.current === undefined) return
          const at = made?.convertFromPixel({ xAxisIndex: 0 }, offsetX)
          if (typeof at === 'number') pick.current(at)
        })
        setChart(made)
      })
      .catch((error: unknown) => {
        if (!gone) setFailed({ error })
      })
    return () => {
      gone = true
      setChart(null)
      made?.dispose()
    }
  }, [height, parts])

  useEffect(() => {
    if (ref.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (chart === null || width === 0) return
    chart.resize({ width, height })
    chart.setOption(build({ width, height }), { notMerge: true })
  }, [chart, build, width, height])

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawing anew forgets the patch, so it follows every build
  useEffect(() => {
    if (chart !== null && patch !== undefined && width > 0) chart.setOption(patch, { lazyUpdate: true })
  }, [chart, patch, build, width])

  return (
    <div
      ref={ref}
      className={classes.canvas}
      style={{ height }}
      data-ready={chart !== null}
      data-pick={onPick !== undefined}
      aria-hidden
    />
  )
}
