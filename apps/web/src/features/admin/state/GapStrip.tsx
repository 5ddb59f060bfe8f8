import type { AdminIngest } from '@radx/contracts/administration'
import { formatDuration } from '@radx/locale/duration'
import { countFr, formatDateTimeFr } from '@radx/locale/format-fr'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import classes from './GapStrip.module.css'

const texts = administrationTexts.ingest
const DAY_MS = 86_400_000
const LISTED = 20

interface Props {
  product: AdminIngest['products'][number]
  /** End of the strip. */
  at: string
  days: number
}

/** The last days of a product as a strip: what came, and where nothing did. The list below says the same in words. */
export function GapStrip({ product, at, days }: Props) {
  const { timeZone } = useSite()
  const end = Date.parse(at)
  const start = end - days * DAY_MS
  const x = (instant: string) => ((Date.parse(instant) - start) / (days * DAY_MS)) * 1000
  const time = (instant: string) => formatDateTimeFr(instant, timeZone)
  const first = product.firstFrame === null ? 1000 : Math.max(0, x(product.firstFrame))
  return (
    <div className={classes.root}>
      <h3>{product.product}</h3>
      <p>
        {product.firstFrame === null
          ? texts.noFrames
          : texts.summary(
              countFr(product.gaps.length, 'lacune'),
              formatDuration(1000 * product.missingSeconds),
              product.latencySeconds === null ? '–' : formatDuration(1000 * product.latencySeconds),
            )}
      </p>
      <svg viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden>
        <rect x={0} width={1000} height={28} className={classes.before} />
        <rect x={first} width={1000 - first} height={28} className={classes.there} />
        {product.gaps.map((gap) => (
          <rect
            key={gap.start}
            x={x(gap.start)}
            width={Math.max(1.5, x(gap.end) - x(gap.start))}
            height={28}
            className={classes.gap}
          />
        ))}
      </svg>
      <div className={classes.ends} aria-hidden>
        <span>{time(new Date(start).toISOString())}</span>
        <span>{time(at)}</span>
      </div>
      {product.gaps.length > 0 && (
        <details>
          <summary>{texts.gapList}</summary>
          <ul>
            {product.gaps.slice(0, LISTED).map((gap) => (
              <li key={gap.start}>
                {texts.gap(
                  time(gap.start),
                  time(gap.end),
                  formatDuration(Date.parse(gap.end) - Date.parse(gap.start)),
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
