import type { AdjustedAtSource } from '@radx/contracts/radar'
import {
  type Ensemble,
  EV7,
  type LiveBegin,
  RAIN_INTERVAL_MINUTES,
  type SimulationInput,
  type SoilBefore,
  type Transposition,
} from '@radx/contracts/simulation'
import { formatDuration } from '@radx/locale/duration'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSite } from '../../../app/site.ts'
import { moveTexts, soilTexts } from '../../../texts/design.ts'
import { ensembleTexts } from '../../../texts/ensemble.ts'
import { rainTexts, detailTexts as texts, VIRTUAL_SHAPES_FR } from '../../../texts/simulation.ts'
import { isWithheld, type SimulationJob } from '../api.ts'
import { RainCurve } from '../parts/RainCurve.tsx'
import { Sparkline } from '../parts/Sparkline.tsx'
import { figuresQuery } from '../workspace/api.ts'
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

function MeasuredRain({ job }: { job: SimulationJob }) {
  const { id, result } = job
  const figures = useQuery({ ...figuresQuery(id), enabled: result !== null })
  if (isWithheld(job)) return <p>{texts.rain.withheld}</p>
  if (result === null) return null
  // The curve is thinned: its largest value is no maximum of the rain.
  const peak = figures.data?.rainPeak
  return (
    <>
      <Sparkline values={result.rainSparkline} />
      <p>
        {peak
          ? texts.rain.meanAndPeak(
              formatQuantityFr(peak.rateMmH, 'mm/h', 1),
              formatDuration(1000 * peak.meanS),
            )
          : texts.rain.mean}
      </p>
    </>
  )
}

const TITLES: Record<SimulationInput['rainfallSelection'], (input: SimulationInput) => string> = {
  radar: ({ live, ownRain }) =>
    ownRain ? texts.rain.ownRain(ownRain.name) : live ? texts.rain.forecast : texts.rain.radar,
  ev7: () => texts.rain.ev7,
  virtual: ({ virtualRainShape }) =>
    `${texts.rain.virtual}, ${VIRTUAL_SHAPES_FR[virtualRainShape ?? 'simple']}`,
}

function Facts({ job: { input, result } }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const interval = formatQuantityFr(RAIN_INTERVAL_MINUTES[input.rainfallSelection], 'min', 3, true)
  const missing: Rows =
    result?.rainMissingShare != null
      ? [[texts.rain.missing, formatQuantityFr(100 * result.rainMissingShare, '%', 1)]]
      : []
  const method: Rows = result?.rainMethod ? [[texts.rain.between, texts.rain.methods[result.rainMethod]]] : []
  const adjusted: Rows = result?.rainAdjusted
    ? [[texts.rain.adjustment, adjustedText(result.rainAdjusted)]]
    : []
  const period: Rows = [
    ...(input.ownRain
      ? []
      : [[texts.rain.product, (input.product ?? EV7.product).toUpperCase()] as Rows[number]]),
    [texts.rain.start, at(input.rainfallStart)],
    [texts.rain.end, at(input.rainfallEnd)],
    ...(input.ownRain ? [] : [[texts.rain.interval, interval] as Rows[number]]),
    ...(input.live ? liveRows(input.live, at) : []),
    ...(input.transposition ? [[soilTexts.movedFact, movedText(input.transposition)] as Rows[number]] : []),
    ...(input.ensemble ? [[ensembleTexts.fact, ensembleText(input.ensemble)] as Rows[number]] : []),
    ...method,
    ...adjusted,
    ...missing,
  ]
  const rows = [
    ...(input.rainfallSelection === 'virtual'
      ? [...parameters(input), [texts.rain.interval, interval] as Rows[number]]
      : period),
    ...(input.soilBefore ? [[soilTexts.fact, soilText(input.soilBefore)] as Rows[number]] : []),
  ]
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

const liveRows = ({ issued, settings }: LiveBegin, at: (instant: string) => string): Rows => [
  [texts.rain.begins, texts.rain.liveState(at(issued))],
  [
    texts.rain.settings,
    settings.length === 0
      ? texts.rain.noSettings
      : settings
          .map(({ name, setting }) => `${name}\u00a0: ${formatQuantityFr(100 * setting, '%', 0)}`)
          .join(', '),
  ],
]

function adjustedText({ images, of, factors }: AdjustedAtSource): string {
  if (!factors) return texts.rain.unadjusted
  const [least, most] = factors.map((factor) => formatNumberFr(factor, 2))
  const which = images === of ? null : texts.rain.someImages(images, of)
  return texts.rain.adjusted(which, texts.rain.factor(least, most))
}

const soilText = ({ state, depthMm, method }: SoilBefore): string =>
  depthMm === null
    ? soilTexts.states[state]
    : soilTexts.found(soilTexts.states[state], formatQuantityFr(depthMm, 'mm', 1)) +
      (method ? ` (${texts.rain.methods[method]})` : '')

const ensembleText = ({ members, alpha, c1, seed }: Ensemble): string =>
  ensembleTexts.told(members, formatNumberFr(alpha, 3, true), formatNumberFr(c1, 3, true), seed)

function movedText({ eastM, northM, shiftMinutes, factor }: Transposition): string {
  const km = (metres: number) => formatQuantityFr(metres / 1000, 'km', 1)
  return [
    moveTexts.moved(km(eastM), km(northM)),
    ...(shiftMinutes === 0 ? [] : [soilTexts.later(formatQuantityFr(shiftMinutes / 60, 'h', 1))]),
    ...(factor === 1 ? [] : [soilTexts.times(formatNumberFr(factor, 2, true))]),
  ].join(', ')
}

/** Units of parameters that are not minutes. */
const UNITS: Record<string, string> = { iMax: 'mm/h', i2: 'mm/h', a: '', b: '', peak: '' }

const parameters = ({ virtualParam, virtualSource }: SimulationInput): Rows => [
  ...(virtualSource ? [[texts.rain.source, virtualSource] as Rows[number]] : []),
  ...Object.entries(virtualParam ?? {}).map(([name, value]): Rows[number] => [
    rainTexts.labels[name as keyof typeof rainTexts.labels] ?? name,
    <>
      {formatNumberFr(value, 3, true)} <span className="rx-unit">{UNITS[name] ?? 'min'}</span>
    </>,
  ]),
]
