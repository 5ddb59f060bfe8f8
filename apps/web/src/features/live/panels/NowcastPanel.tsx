import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { NowcastPlace } from '@radx/contracts/nowcast'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { nowcastTexts as texts } from '../../../texts/nowcast.ts'
import { Section } from '../../../ui/Section.tsx'
import { nowcastQuery } from '../api.ts'
import classes from './NowcastPanel.module.css'

interface Place {
  lat: number
  lng: number
}

/** To a kilometre: a forecast knows no better, and who asks from near by is answered by the same cache. */
const rounded = (degrees: number) => Math.round(degrees * 100) / 100

/** The rain to come at the radar or at the visitor's position, in words and by lead, as far as it can be trusted. */
export default function NowcastPanel() {
  const { position } = useSite().radar
  const [own, setOwn] = useState<Place | null>(null)
  const [failed, setFailed] = useState(false)
  const { data } = useQuery(nowcastQuery(own ?? position))
  if (!data || data.issued === null) return null
  const locate = () => {
    if (own) return setOwn(null)
    setFailed(false)
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => setOwn({ lat: rounded(coords.latitude), lng: rounded(coords.longitude) }),
      () => setFailed(true),
    )
  }
  return (
    <Section
      title={texts.title}
      aside={
        <button type="button" className={classes.place} onClick={locate}>
          {own ? texts.leave : texts.locate}
        </button>
      }
    >
      <p className={classes.words} aria-live="polite">
        <span className={classes.where}>{own ? texts.here : texts.atRadar}</span> {inWords(data)}
      </p>
      {data.reason === null && <Leads nowcast={data} />}
      {data.reason === null && <p className={classes.note}>{horizonWords(data.horizonMin)}</p>}
      {failed && <p className={classes.note}>{texts.locateFailed}</p>}
    </Section>
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

function inWords({ reason, classes: leads, rainInMin, dryInMin }: NowcastPlace): string {
  if (reason !== null) return texts.reasons[reason]
  const known = leads.filter((lead) => lead.class !== null)
  const last = known.at(-1)?.leadMin
  if (last === undefined) return texts.outside
  if (rainInMin === 0) return dryInMin === null ? texts.rainsOn(last) : texts.dryIn(dryInMin)
  if (rainInMin !== null) return texts.rainIn(rainInMin)
  return last === 0 ? texts.unseen : texts.dry(last)
}

function horizonWords(minutes: number | null): string {
  if (minutes === null) return texts.noHorizon
  return minutes === 0 ? texts.lost : texts.horizon(minutes)
}
