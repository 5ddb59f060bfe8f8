import type { CatchmentCollection } from '@radx/contracts/catchments'
import type { Product } from '@radx/contracts/radar'
import { civilDay } from '@radx/locale/time'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { useAuth } from '../app/auth/store.ts'
import { part } from '../app/part.tsx'
import { useSite } from '../app/site.ts'
import { allowedDays, isOutside, restrictionNotice, selectableRange } from '../texts/restriction.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { zoneTexts } from '../texts/zone.ts'
import { PrimaryButton } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { CalendarLegend, CatchmentList } from './CatchmentList.tsx'
import { HoursTable } from './HoursTable.tsx'
import { MonthCalendar } from './MonthCalendar.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import { ProductPicker } from './ProductPicker.tsx'
import classes from './SelectionPanel.module.css'
import { StepChoice } from './StepChoice.tsx'
import {
  chooseCatchment,
  chooseDay,
  chooseHour,
  chooseRange,
  clearDates,
  type Refusal,
  type Selection,
  type SelectionDate,
  stepBack,
} from './selection.ts'
import { placeText, selectionSentence } from './sentence.ts'
import { useCountdown } from './useCountdown.ts'
import { isLong, useWeight } from './useWeight.ts'

const CatchmentMap = part(() => import('./CatchmentMap.tsx'))

interface Props {
  products: readonly Product[]
  catchments: CatchmentCollection
  selection: Selection
  /** Takes a step from whatever the selection is by then: clicks may come faster than pages are drawn. */
  onChange: (step: (now: Selection) => Selection) => void
  /** Civil day of today, `YYYY-MM-DD`. */
  today: string
  /** Loads the chosen period; without it there is no load button, e.g. in a form that only chooses. */
  onLoad?: () => void
  loading?: boolean
  /** Step of a long period's images, seconds; null is every image. Offered where it can be set. */
  step?: number | null
  onStep?: (step: number | null) => void
  /** Beside the title of the period, e.g. a help button. */
  aside?: ReactNode
}

/**
 * What, where and when: product, basin, calendar and hours, with the chosen period in one sentence. It holds
 * no state of its own but the last hint, so that an address or a form can.
 */
export function SelectionPanel(props: Props) {
  const { products, catchments, selection, onChange, today, onLoad, loading = false, aside } = props
  const { step = null, onStep } = props
  const { timeZone, civilZone } = useSite()
  const restriction = useAuth((state) => state.restriction)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const nameOf = useNames(catchments)
  const weight = useWeight(selection, step)
  const countdown = useCountdown(weight.slides, weight.countedAt)
  const allowed = useMemo(() => allowedRange(restriction), [restriction])
  const days = allowedDays(restriction, civilZone)
  const notice = restrictionNotice(restriction, civilZone)
  const dayOf = (instant: string) =>
    instant.length === 10 ? instant : civilDay(Date.parse(instant), civilZone)

  const change = (take: (now: Selection) => Selection, why: Refusal | null = null) => {
    setRefusal(why)
    onChange(take)
  }
  const place = (catchment: string, subcatchment: string | null) =>
    change((now) => chooseCatchment(now, catchment, subcatchment))
  const show = ({ date }: SelectionDate) => {
    if (date === null) return
    const day = dayOf(date)
    change((now) => ({ ...now, activeDay: day, dateCursor: day.slice(0, 7) }))
  }
  const { start, end } = selection.selectionDates
  const range = {
    from: start.date === null ? null : dayOf(start.date),
    to: end.date === null ? null : dayOf(end.date),
  }
  const refused = weight.error !== null || weight.slides === 0

  return (
    <div className={classes.root}>
      {notice && <Message kind="nfo">{notice}</Message>}
      <div className={classes.columns}>
        <div className={classes.what}>
          <ProductPicker
            products={products}
            value={selection.selectedProduct}
            onChange={(selectedProduct) => change((now) => ({ ...now, selectedProduct }))}
          />
          <CatchmentList
            collection={catchments}
            catchment={selection.catchment}
            subcatchment={selection.subcatchment}
            onChoose={place}
          />
          <CalendarLegend place={placeText(selection, nameOf) ?? texts.place.zone} />
        </div>
        <div className={classes.map}>
          <Suspense>
            <CatchmentMap
              collection={catchments}
              catchment={selection.catchment}
              subcatchment={selection.subcatchment}
              onChoose={place}
            />
          </Suspense>
        </div>
        <div className={classes.when}>
          <MonthCalendar
            selection={selection}
            today={today}
            range={range}
            allowed={days}
            onDay={(day) =>
              change((now) => chooseDay(now, day, dayOf).selection, chooseDay(selection, day, dayOf).refusal)
            }
            onMonth={(dateCursor) => change((now) => ({ ...now, dateCursor }))}
          />
          <Hint selection={selection} refusal={refusal} />
        </div>
        <div className={classes.hours}>
          <HoursTable
            selection={selection}
            allowed={allowed}
            closed={selection.activeDay !== null && isOutside(selection.activeDay, days)}
            onHour={(instant) =>
              change((now) => chooseHour(now, instant).selection, chooseHour(selection, instant).refusal)
            }
            onRange={(one, other) => change((now) => chooseRange(now, one, other))}
          />
        </div>
      </div>
      <div className={classes.foot}>
        <PeriodPicker
          selection={selection}
          onShow={show}
          onStepBack={() => change(stepBack)}
          onClear={() => change(clearDates)}
        />
        <div className={classes.outcome}>
          <p className={classes.sentence} aria-live="polite" data-testid="sentence">
            {selectionSentence(selection, weight.slides, { timeZone: civilZone, nameOf })}
          </p>
          {timeZone !== civilZone && (
            <p className={classes.note}>{zoneTexts.pickers(zoneTexts.townOf(civilZone))}</p>
          )}
          {weight.pending && weight.slides === null && <p className={classes.note}>{texts.weighing}</p>}
          {onLoad && countdown !== null && !refused && (
            <p className={classes.note}>
              {texts.countdown} <strong data-testid="countdown">{countdown}</strong>
            </p>
          )}
          {weight.slides === 0 && <p className={classes.note}>{texts.noSlides}</p>}
          {onStep && weight.period && isLong(weight.period) && weight.slides !== 0 && (
            <StepChoice step={step} onStep={onStep} bytes={weight.bytes} />
          )}
          {weight.error && (
            <Message
              kind="error"
              action={<TextButton onClick={() => void weight.refetch()}>{texts.retry}</TextButton>}
            >
              {genericErrorText(weight.error)}
            </Message>
          )}
        </div>
        {aside}
        {onLoad && !weight.error && (
          <PrimaryButton
            className={classes.load}
            disabled={weight.slides === null || refused || loading}
            onClick={onLoad}
          >
            {loading ? texts.loading : texts.load}
          </PrimaryButton>
        )}
      </div>
    </div>
  )
}

/** What to do next, or why the last click did nothing. */
function Hint({ selection, refusal }: { selection: Selection; refusal: Refusal | null }) {
  const { start, end } = selection.selectionDates
  if (refusal !== null)
    return (
      <div className={classes.hint}>
        <Message kind="warning">{texts.refusals[refusal]}</Message>
      </div>
    )
  const next =
    start.date === null
      ? texts.chooseStartDay
      : !start.setHour
        ? texts.chooseStartHour
        : end.setHour
          ? null
          : texts.chooseEnd
  return next === null ? null : <p className={classes.next}>{next}</p>
}

function allowedRange(restriction: { start: string | null; end: string | null } | null) {
  if (restriction === null) return { from: null, to: null }
  const { startMs, endMs } = selectableRange(restriction)
  const iso = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null)
  return { from: iso(startMs), to: iso(endMs) }
}

/** Names of basins by key. */
export function useNames(catchments: CatchmentCollection): (key: string) => string {
  return useMemo(() => {
    const names = new Map(catchments.features.map(({ properties }) => [properties.key, properties.name]))
    return (key: string) => names.get(key) ?? key
  }, [catchments])
}
