import { type ReactNode, Suspense } from 'react'
import { part } from '../app/part.tsx'
import classes from './Chart.module.css'
import type { CanvasProps } from './ChartCanvas.tsx'
import { extrasMayLoad } from './load-order.ts'

const Canvas = part(() => extrasMayLoad().then(() => import('./ChartCanvas.tsx')))

interface Props extends CanvasProps {
  /** What the chart shows, for assistive technology. */
  label: string
  /** The same values as a table, for screen readers, or the id of one that stands on the page. */
  table: ReactNode | { id: string }
}

/**
 * A chart of the chart package; the library comes when the first one is drawn. Where it does not come the chart's place
 * says so and asks again.
 */
export function Chart({ label, table, ...canvas }: Props) {
  const elsewhere = table !== null && typeof table === 'object' && 'id' in table ? table.id : undefined
  return (
    <figure className={classes.root} aria-label={label} aria-details={elsewhere}>
      <div style={{ minHeight: canvas.height }}>
        <Suspense
          fallback={
            <div
              className={classes.canvas}
              style={{ height: canvas.height }}
              data-ready={false}
              aria-hidden
            />
          }
        >
          <Canvas {...canvas} />
        </Suspense>
      </div>
      {elsewhere === undefined && <div className="rx-visually-hidden">{table as ReactNode}</div>}
    </figure>
  )
}
