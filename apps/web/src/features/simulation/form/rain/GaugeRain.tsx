import { Checkbox, NativeSelect } from '@mantine/core'
import type { GaugeRain as Measured } from '@radx/contracts/own-rains'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { ownRain } from '@radx/rainfall/virtual-rain'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { genericErrorText, serverErrorText } from '../../../../app/api/errors.ts'
import { useSite } from '../../../../app/site.ts'
import { designTexts } from '../../../../texts/design.ts'
import { ownRainTexts } from '../../../../texts/own-rains.ts'
import { rainTexts } from '../../../../texts/simulation.ts'
import { DateField } from '../../../../ui/DateField.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { instantOf, localText } from '../../../../ui/moments.ts'
import { applyGauge, type FormState, releaseVirtualRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { gapsOf } from './gaps.ts'
import { gaugeRainQuery, gaugesQuery } from './measured-api.ts'
import { ParameterInput } from './ParameterInput.tsx'
import { RainPreview } from './RainPreview.tsx'
import { UseRain } from './UseRain.tsx'
import classes from './VirtualRain.module.css'

const texts = ownRainTexts.gauge
/** Gaps that are told one by one. */
const TOLD_GAPS = 4

const setChoice = (change: Partial<FormState['gaugeChoice']>) =>
  changeForm((state) => ({
    ...releaseVirtualRain(state),
    gaugeChoice: { ...state.gaugeChoice, ...change },
  }))

/** What a gauge measured in a period, as the rain of the run. Time without readings is dry only once somebody says so. */
export default function GaugeRain() {
  const gauges = useQuery(gaugesQuery)
  const choice = useForm((state) => state.gaugeChoice)
  const used = useForm((state) => state.virtualData)
  const locked = used.length > 0
  const gauge = gauges.data?.find(({ id }) => id === choice.id) ?? gauges.data?.[0]
  const isPeriod = choice.start !== '' && choice.end !== '' && choice.start < choice.end
  const asked = { g: gauge?.id ?? '', s: choice.start, e: choice.end }
  const measured = useQuery({ ...gaugeRainQuery(asked), enabled: gauge !== undefined && isPeriod })
  const rain = isPeriod ? (measured.data ?? null) : null
  const minutes = useMemo(() => (rain ? asRun(rain, choice.calmAfter) : []), [rain, choice.calmAfter])
  const problem = problemOf(rain, choice.gapsDry)
  if (gauges.error) return <Message kind="error">{genericErrorText(gauges.error)}</Message>
  if (!gauges.data) return <p role="status">{texts.loading}</p>
  if (!gauge)
    return (
      <Message kind="hint" action={<Link to="/analyse">{texts.toGauges}</Link>}>
        {texts.none}
      </Message>
    )
  return (
    <section className={classes.root} aria-label={texts.title}>
      <div className={classes.parameters}>
        <NativeSelect
          label={texts.choose}
          value={gauge.id}
          disabled={locked}
          data={gauges.data.map(({ id, name, owner }) => ({ value: id, label: texts.named(name, owner) }))}
          onChange={({ currentTarget }) => setChoice({ id: currentTarget.value, gapsDry: false })}
        />
        <Period disabled={locked} />
        <ParameterInput
          label={designTexts.fields.calmAfter}
          unit="min"
          value={choice.calmAfter}
          disabled={locked}
          onChange={(calmAfter) => setChoice({ calmAfter })}
        />
        {isPeriod && measured.isFetching && <p role="status">{texts.reading}</p>}
        {isPeriod && measured.error && <Message kind="error">{serverErrorText(measured.error)}</Message>}
        {rain && <Found rain={rain} disabled={locked} />}
        {problem !== null && <Message kind="warning">{problem}</Message>}
        <UseRain
          disabled={rain === null || problem !== null}
          onUse={() =>
            changeForm((state) =>
              applyGauge(state, { ...choice, id: gauge.id, name: gauge.name }, [...minutes]),
            )
          }
        />
        <div className={classes.notes}>
          <span>{rainTexts.lead}</span>
        </div>
      </div>
      <RainPreview rateMmH={locked ? used : minutes} empty={texts.empty} />
    </section>
  )
}

/** mm/h a minute as a run takes it; unknown minutes as dry. */
function asRun({ minutesMmH }: Measured, calmAfter: number): number[] {
  const ratesMmH = minutesMmH.map((rate) => rate ?? 0)
  const edgesMin = Array.from({ length: ratesMmH.length + 1 }, (_, k) => k)
  return ratesMmH.length === 0 ? [] : ownRain({ edgesMin, ratesMmH }, Math.max(0, calmAfter))
}

/** Why what was measured cannot be used as it is. */
function problemOf(rain: Measured | null, gapsDry: boolean): string | null {
  if (rain === null) return null
  if (rain.missingMin === rain.minutesMmH.length) return texts.noReading
  if (rain.totalMm === 0) return texts.dry
  return rain.missingMin > 0 && !gapsDry ? texts.gapsOpen : null
}

/** The two ends, on the site's clocks. */
function Period({ disabled }: { disabled: boolean }) {
  const { civilZone } = useSite()
  const { start, end } = useForm((state) => state.gaugeChoice)
  const field = (instant: string) => (instant === '' ? '' : localText(Date.parse(instant), civilZone))
  const [typed, setTyped] = useState<{ start: string | null; end: string | null }>(() => ({
    start: field(start),
    end: field(end),
  }))
  const set = (name: 'start' | 'end') => (value: string | null) => {
    setTyped((before) => ({ ...before, [name]: value }))
    const ms = instantOf(value, civilZone)
    setChoice({ [name]: ms === null ? '' : new Date(ms).toISOString().replace('.000Z', 'Z'), gapsDry: false })
  }
  return (
    <fieldset className={classes.period} disabled={disabled}>
      <legend className="rx-visually-hidden">{rainTexts.period}</legend>
      <div className={classes.fields}>
        <DateField withTime label={texts.start} value={typed.start} onChange={set('start')} />
        <DateField withTime label={texts.end} value={typed.end} onChange={set('end')} />
      </div>
      {start !== '' && end !== '' && end <= start && <Message kind="error">{texts.backwards}</Message>}
    </fieldset>
  )
}

/** What was measured in numbers, and the time of which nothing is known. */
function Found({ rain, disabled }: { rain: Measured; disabled: boolean }) {
  const { timeZone } = useSite()
  const { start, gapsDry } = useForm((state) => state.gaugeChoice)
  const gaps = useMemo(() => gapsOf(rain.minutesMmH), [rain])
  const at = (minute: number) => formatDateTimeFr(Date.parse(start) + minute * 60_000, timeZone)
  const most = rain.minutesMmH.reduce<number>((peak, rate) => Math.max(peak, rate ?? 0), 0)
  return (
    <>
      <p className={classes.notes} role="status">
        {texts.found(
          formatQuantityFr(rain.totalMm, 'mm', 1),
          formatQuantityFr(most, 'mm/h', 1),
          rain.intervalMin === null ? null : formatQuantityFr(rain.intervalMin, 'min', 1, true),
        )}
      </p>
      {gaps.length > 0 && rain.missingMin < rain.minutesMmH.length && (
        <>
          <div className={classes.notes}>
            <span>{texts.gaps(rain.missingMin)}</span>
            <ul>
              {gaps.slice(0, TOLD_GAPS).map((gap) => (
                <li key={gap.start}>{texts.gap(at(gap.start), at(gap.end))}</li>
              ))}
              {gaps.length > TOLD_GAPS && <li>{texts.moreGaps(gaps.length - TOLD_GAPS)}</li>}
            </ul>
          </div>
          <Checkbox
            label={texts.gapsDry}
            checked={gapsDry}
            disabled={disabled}
            onChange={({ currentTarget: { checked } }) => setChoice({ gapsDry: checked })}
          />
        </>
      )}
    </>
  )
}
