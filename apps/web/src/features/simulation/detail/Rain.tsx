import { EV7, RAIN_INTERVAL_MINUTES, type SimulationInput } from '@radx/contracts/simulation'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { ReactNode } from 'react'
import { useSite } from '../../../app/site.ts'
import { rainTexts, detailTexts as texts } from '../../../texts/simulation.ts'
import type { SimulationJob } from '../api.ts'
import { RainCurve } from '../parts/RainCurve.tsx'
import { Sparkline } from '../parts/Sparkline.tsx'
import classes from './Rain.module.css'

type Rows = [string, ReactNode][]

/** The rain of a run, told as its source asks for. */
export function Rain({ job }: { job: SimulationJob }) {
  const { input } = job
  const known = input.rainfallSelection in TITLES
  return (
    <section aria-labelledby="rain">
      <h2 id="rain">{texts.rain.title}</h2>
      {known ? (
        <div className={classes.root}>
          <div>
            <p className={classes.kind}>{TITLES[input.rainfallSelection](input)}</p>
            <Facts job={job} />
          </div>
          <div className={classes.curve}>
            {input.rainfallSelection === 'virtual' ? (
              <RainCurve rateMmH={input.virtualData} height={220} />
            ) : (
              <MeasuredRain job={job} />
            )}
          </div>
        </div>
      ) : (
        <p>{texts.rain.unknown}</p>
      )}
    </section>
  )
}

function MeasuredRain({ job: { result, status } }: { job: SimulationJob }) {
  // A finished run has its rain, unless it lies outside the account's dates.
  if (result === null) return status === 'done' ? <p>{texts.rain.withheld}</p> : null
  return (
    <>
      <Sparkline values={result.rainSparkline} />
      <p>
        {texts.rain.mean}, {formatQuantityFr(Math.max(0, ...result.rainSparkline), 'mm/h', 1)} au plus
      </p>
    </>
  )
}

const TITLES: Record<SimulationInput['rainfallSelection'], (input: SimulationInput) => string> = {
  radar: () => texts.rain.radar,
  ev7: () => texts.rain.ev7,
  virtual: ({ virtualRainShape }) =>
    `${texts.rain.virtual}, ${virtualRainShape === 'double' ? texts.rain.double : texts.rain.simple}`,
}

function Facts({ job: { input, result } }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const interval = formatQuantityFr(RAIN_INTERVAL_MINUTES[input.rainfallSelection], 'min', 3, true)
  const missing: Rows =
    result?.rainMissingShare != null
      ? [[texts.rain.missing, formatQuantityFr(100 * result.rainMissingShare, '%', 1)]]
      : []
  const period: Rows = [
    [texts.rain.product, (input.product ?? EV7.product).toUpperCase()],
    [texts.rain.start, at(input.rainfallStart)],
    [texts.rain.end, at(input.rainfallEnd)],
    [texts.rain.interval, interval],
    ...missing,
  ]
  const rows =
    input.rainfallSelection === 'virtual'
      ? [...parameters(input), [texts.rain.interval, interval] as Rows[number]]
      : period
  return (
    <dl className={classes.rows}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const parameters = ({ virtualParam }: SimulationInput): Rows =>
  Object.entries(virtualParam ?? {}).map(([name, value]) => [
    rainTexts.labels[name as keyof typeof rainTexts.labels] ?? name,
    <>
      {formatNumberFr(value, 3, true)}{' '}
      <span className="rx-unit">{name === 'iMax' || name === 'i2' ? 'mm/h' : 'min'}</span>
    </>,
  ])
