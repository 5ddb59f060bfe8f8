import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { useSite } from '../../../app/site.ts'
import { RestingStatement } from '../../../map/MapStatement.tsx'
import { futureTexts as texts } from '../../../texts/future.ts'
import { currentLead, useFuture } from './store.ts'
import { issuedWords, whenWords } from './when.ts'

/** Says to screen readers that the map shows a forecast, and for when. */
export function ForecastStatement({ playing }: { playing: boolean }) {
  const { timeZone } = useSite()
  const time = useFuture((state) => currentLead(state)?.time ?? null)
  const issued = useFuture((state) => state.forecast?.issued ?? null)
  const words = useCallback(() => {
    if (time === null || issued === null) return ''
    const when = whenWords(time, Date.now())
    return texts.statement(formatDateTimeFr(time, timeZone), when, issuedWords(issued, timeZone))
  }, [time, issued, timeZone])
  return <RestingStatement words={words} playing={playing} />
}
