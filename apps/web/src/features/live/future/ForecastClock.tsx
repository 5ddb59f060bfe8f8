import { useSite } from '../../../app/site.ts'
import { Clock } from '../../../player/PlayerBar.tsx'
import { futureTexts as texts } from '../../../texts/future.ts'
import { liveTexts } from '../../../texts/live.ts'
import { useNow } from '../../../ui/useNow.ts'
import { useStale } from '../useStale.ts'
import { isOld } from './forecast.ts'
import { currentLead, useFuture } from './store.ts'
import { issuedWords, whenWords } from './when.ts'

/** The moment of a forecast, how far away it is, and when the forecast was made. */
export function ForecastClock() {
  const { timeZone } = useSite()
  const now = useNow()
  const why = useStale()
  const issued = useFuture((state) => state.forecast?.issued ?? null)
  const lead = useFuture(currentLead)
  if (lead === null || issued === null) return null
  const words = [texts.clock(whenWords(lead.time, now), issuedWords(issued, timeZone))]
  if (why !== null) words.push(liveTexts.controls.stale[why])
  else if (isOld(issued, now)) words.push(texts.old)
  return <Clock datetime={lead.time} age={words.join(', ')} />
}
