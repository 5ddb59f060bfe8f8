import type { ChartSize } from '@radx/charts/theme'
import type { EChartsOption } from 'echarts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { errorView } from '../app/api/errors.ts'
import { chartTexts } from '../texts/chart.ts'
import classes from './Chart.module.css'
import type { ECharts } from './echarts.ts'
import { extrasMayLoad } from './load-order.ts'

interface Props {
  /** What the chart shows, for assistive technology. */
  label: string
  height: number
  /** Builds the chart for the room there is; memoise it, a new function draws anew. */
  build: (size: ChartSize) => EChartsOption
  /** Merged into the drawn chart, e.g. the mark of the current frame. */
  patch?: EChartsOption
  /** Called with the instant (ms) under a click. */
  onPick?: (instantMs: number) => void
  /** Registers parts of the chart library that this chart needs beyond the usual ones; a constant. */
  parts?: () => Promise<unknown>
  /** The same values as a table, for screen readers, or the id of one that stands on the page. */
  table: ReactNode | { id: string }
}

/** A chart of the chart package; the library comes when the first one is drawn. */
export function Chart({ label, height, build, patch, onPick, parts, table }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [chart, setChart] = useState<ECharts | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const pick = useRef(onPick)
  pick.current = onPick

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    const element = ref.current
    let made: ECharts | null = null
    let gone = false
    extrasMayLoad()
      .then(() => Promise.all([import('./echarts.ts'), parts?.()]))
      .then(([{ init }]) => {
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
        if (!gone) setFailed(error)
      })
    return () => {
      gone = true
      setChart(null)
      made?.dispose()
    }
  }, [height, parts, attempt])

  // Once the network is back.
  useEffect(() => {
    if (failed === null) return
    const again = () => {
      setFailed(null)
      setAttempt((n) => n + 1)
    }
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [failed])

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

  const elsewhere = table !== null && typeof table === 'object' && 'id' in table ? table.id : undefined
  return (
    <figure className={classes.root} aria-label={label} aria-details={elsewhere}>
      <div
        ref={ref}
        className={classes.canvas}
        style={{ height }}
        data-ready={chart !== null}
        data-pick={onPick !== undefined}
        aria-hidden
      />
      {failed !== null && (
        <p role="alert" className={classes.failed}>
          {errorView(failed).isScript ? chartTexts.missing : errorView(failed).message}
        </p>
      )}
      {elsewhere === undefined && <div className="rx-visually-hidden">{table as ReactNode}</div>}
    </figure>
  )
}
