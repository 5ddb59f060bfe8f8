import { formatDateTimeFr } from '@radx/locale/format-fr'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useSite } from '../../../app/site.ts'
import { futureTexts as texts } from '../../../texts/future.ts'
import { useNow } from '../../../ui/useNow.ts'
import { goTo, position } from '../commands.ts'
import classes from './ForecastTime.module.css'
import { type Forecast, trustedLeads } from './forecast.ts'
import { useFuture } from './store.ts'
import { issuedWords, whenWords } from './when.ts'
import { horizonWords, missingWords } from './words.ts'

export { ForecastClock } from './ForecastClock.tsx'

/** The time bar behind the newest image: hatched, with a limit where the forecast is not to be trusted any more. */
export default function ForecastTime() {
  const forecast = useFuture((state) => state.forecast)
  const missing = useFuture((state) => state.missing)
  if (forecast) return <Track forecast={forecast} />
  if (missing === null) return null
  return (
    <p className={classes.none} title={missingWords(missing)}>
      {texts.none}
      <span className="rx-visually-hidden"> : {missingWords(missing)}</span>
    </p>
  )
}

function Track({ forecast }: { forecast: Forecast }) {
  const { timeZone } = useSite()
  const now = useNow()
  const lead = useFuture((state) => state.lead)
  const { leads, issued } = forecast
  const limit = trustedLeads(forecast) / leads.length
  const shown = lead === null ? null : leads[lead]
  // One step before the first lead stands the newest image.
  const value = lead ?? -1
  const onKey = (event: KeyboardEvent) => {
    if (lead !== null || (event.key !== 'ArrowLeft' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    goTo(Math.max(0, position().counter - 1))
  }
  return (
    <div
      className={classes.track}
      data-on={lead !== null || undefined}
      data-testid="forecast-track"
      style={{ '--limit': limit, flexGrow: leads[leads.length - 1].leadMin } as CSSProperties}
    >
      <input
        type="range"
        min={-1}
        max={leads.length - 1}
        value={value}
        aria-label={texts.track}
        aria-valuetext={
          shown === null
            ? texts.now
            : `${formatDateTimeFr(shown.time, timeZone)}, ${whenWords(shown.time, now)}, ${issuedWords(issued, timeZone)}`
        }
        onKeyDown={onKey}
        onChange={(event) => goTo(position().count + event.currentTarget.valueAsNumber)}
      />
      {limit > 0 && limit < 1 && <span className={classes.limit} aria-hidden />}
      <p className={classes.words}>{horizonWords(forecast)}</p>
    </div>
  )
}
