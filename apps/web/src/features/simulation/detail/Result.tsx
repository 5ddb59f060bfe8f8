import type { WaterBalance } from '@radx/contracts/simulation'
import { BALANCE_PARTS, MEASURE_PARTS } from '@radx/contracts/simulation-constants'
import { formatDuration } from '@radx/locale/duration'
import { formatQuantityFr, formatTimeFr } from '@radx/locale/format-fr'
import { useEffect, useRef } from 'react'
import { useSite } from '../../../app/site.ts'
import { detailTexts } from '../../../texts/simulation.ts'
import type { SimulationJob } from '../api.ts'
import { PowerText } from '../parts/PropertyText.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import classes from './Result.module.css'

const texts = detailTexts.result

interface Props {
  job: SimulationJob
  /** The run ended before the reader's eyes: take them to its result. */
  arrived: boolean
}

export function Result({ job, arrived }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!arrived) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [arrived])
  return (
    <section className={classes.root} aria-labelledby="result">
      <h2 id="result" ref={heading} tabIndex={-1}>
        {texts.title}
      </h2>
      <dl className={classes.facts}>
        <div>
          <dt>{detailTexts.status}</dt>
          <dd>
            <StatusBadge status={job.status} cancelled={job.cancelled} place={job.queuePlace} />
          </dd>
        </div>
        <div>
          <dt>{detailTexts.computing}</dt>
          <dd>{job.delay === null ? '–' : formatDuration(job.delay)}</dd>
        </div>
      </dl>
      {job.cancelled && <p>{texts.cancelled}</p>}
      {job.error && !job.cancelled && (
        <>
          <h3>{texts.error}</h3>
          <pre className={classes.error}>{job.error}</pre>
        </>
      )}
      {job.result && <Balance balance={job.result.balance} />}
      <Logs logs={job.logs} />
    </section>
  )
}

function Logs({ logs }: { logs: SimulationJob['logs'] }) {
  const { timeZone } = useSite()
  if (logs.length === 0) return null
  return (
    <details className={classes.logs}>
      <summary>{texts.logs}</summary>
      <pre>{logs.map(({ at, line }) => `${formatTimeFr(at, timeZone)}  ${line}`).join('\n')}</pre>
    </details>
  )
}

const [, ...DESTINATIONS] = BALANCE_PARTS

/** Where the rain went: bars of the share, and the volumes. */
function Balance({ balance }: { balance: WaterBalance }) {
  const share = (volume: number) => (balance.rainM3 > 0 ? volume / balance.rainM3 : 0)
  const t = detailTexts.balance
  const parts = [...DESTINATIONS, ...MEASURE_PARTS].flatMap((name) => {
    const volume = balance[name]
    return volume === undefined ? [] : [{ name, volume }]
  })
  return (
    <table id="balance" className={classes.balance}>
      <caption>{texts.balance}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="rx-visually-hidden">{texts.balance}</span>
          </th>
          <th scope="col">{t.volume}</th>
          <th scope="col" colSpan={2}>
            {t.share}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t.rainM3}</th>
          <td>{formatQuantityFr(balance.rainM3, 'm³')}</td>
          <td>{formatQuantityFr(100, '%')}</td>
          <td aria-hidden />
        </tr>
        {parts.map(({ name, volume }) => (
          <tr key={name}>
            <th scope="row">{t[name]}</th>
            <td>{formatQuantityFr(volume, 'm³')}</td>
            <td>{formatQuantityFr(100 * share(volume), '%', 1)}</td>
            <td className={classes.bar} aria-hidden>
              <span style={{ width: `${Math.max(0, Math.min(100, 100 * share(volume)))}%` }} />
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t.errorM3}</th>
          <td>{formatQuantityFr(balance.errorM3, 'm³', 4)}</td>
          <td colSpan={2}>
            <PowerText value={balance.relativeError} />
          </td>
        </tr>
      </tbody>
    </table>
  )
}
