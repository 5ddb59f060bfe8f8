import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { NowcastPlace } from '@radx/contracts/nowcast'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSite } from '../../../app/site.ts'
import { aheadTitle } from '../../../texts/ahead-title.ts'
import { alertsTitle } from '../../../texts/alerts-title.ts'
import { liveTexts } from '../../../texts/live.ts'
import { nowcastTexts as texts } from '../../../texts/nowcast.ts'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { useNow } from '../../../ui/useNow.ts'
import { nowcastQuery } from '../api.ts'
import { isOld, minutesTo } from '../future/forecast.ts'
import { PlaceChoice, usePlace } from '../future/PlaceChoice.tsx'
import { placeIsOver, placeWords } from '../future/place.ts'
import classes from './NowcastPanel.module.css'

/** The rain to come at the radar or at a place of the reader's, in words and by lead, as far as it can be trusted. */
export default function NowcastPanel() {
  const place = usePlace()
  const now = useNow()
  const { data, isError, isFetching, refetch } = useQuery(nowcastQuery(place.at))
  if (data?.issued === null) return null
  if (!data)
    return (
      <Section title={texts.title} aside={<PlaceChoice {...place} />}>
        {isError ? (
          <Message
            kind="error"
            action={
              <TextButton disabled={isFetching} onClick={() => void refetch()}>
                {liveTexts.retry}
              </TextButton>
            }
          >
            {texts.failed}
          </Message>
        ) : (
          <p className={classes.note} role="status">
            {texts.loading}
          </p>
        )}
        <Onward />
      </Section>
    )
  const shown = data.reason === null && !placeIsOver(data, now)
  return (
    <Section title={texts.title} aside={<PlaceChoice {...place} />}>
      <p className={classes.words} aria-live="polite">
        <span className={classes.where}>{place.name}</span> {placeWords(data, now)}
      </p>
      {shown && <Leads nowcast={data} />}
      {shown && <Trust horizonMin={data.horizonMin} issued={data.issued} now={now} />}
      {place.note && <p className={classes.note}>{place.note}</p>}
      <Onward />
    </Section>
  )
}

/** What goes on from the rain to come, also while that is on its way. */
function Onward() {
  return (
    <p className={classes.note}>
      <Link to="/prevision">{aheadTitle}</Link>, <Link to="/alertes">{alertsTitle.toLowerCase()}</Link>
    </p>
  )
}

function Trust({ horizonMin, issued, now }: { horizonMin: number | null; issued: string; now: number }) {
  const { timeZone } = useSite()
  const age = isOld(issued, now)
    ? texts.old(-minutesTo(issued, now))
    : texts.issued(formatHourMinuteFr(issued, timeZone))
  return (
    <p className={classes.note}>
      {horizonWords(horizonMin)} {age}
    </p>
  )
}

/** A bar a lead in the colour of its class; hatched beyond the horizon. */
function Leads({ nowcast }: { nowcast: NowcastPlace }) {
  const horizon = nowcast.horizonMin ?? 0
  return (
    <ol className={classes.leads}>
      {nowcast.classes.map((lead) => {
        const row = lead.class === null || lead.class === 0 ? null : INTENSITY_CLASSES[lead.class - 1]
        const what = row ? texts.rate(row.labelFr) : lead.class === null ? texts.unknown : texts.none
        return (
          <li
            key={lead.leadMin}
            className={classes.lead}
            data-unknown={lead.class === null || undefined}
            data-beyond={lead.leadMin > horizon || undefined}
            title={texts.bar(lead.leadMin, what)}
          >
            <span
              className={classes.bar}
              style={{ height: `${row ? 20 + 10 * (lead.class ?? 0) : 4}%`, background: row?.color }}
            />
            <span className={classes.hidden}>{texts.bar(lead.leadMin, what)}</span>
            {lead.leadMin % 30 === 0 && <span className={classes.tick}>{texts.lead(lead.leadMin)}</span>}
          </li>
        )
      })}
    </ol>
  )
}

function horizonWords(minutes: number | null): string {
  if (minutes === null) return texts.noHorizon
  return minutes === 0 ? texts.lost : texts.horizon(minutes)
}
