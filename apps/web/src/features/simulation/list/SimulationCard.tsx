import { DEFAULT_USER, type SimulationListItem } from '@radx/contracts/simulation'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSite } from '../../../app/site.ts'
import { listTexts as texts } from '../../../texts/simulation.ts'
import { luseFileQuery } from '../api.ts'
import { LuseImage } from '../parts/LuseImage.tsx'
import { Sparkline } from '../parts/Sparkline.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { rainDurationText, rainSourceText } from './listing.ts'
import classes from './SimulationCard.module.css'

export function SimulationCard({ simulation }: { simulation: SimulationListItem }) {
  const { timeZone } = useSite()
  const { input, username } = simulation
  const luse = useQuery(luseFileQuery(input.luseId))
  const place =
    input.caseStudyId === ''
      ? input.catchmentDisplay
      : `${input.catchmentDisplay} · ${input.caseStudyId.toUpperCase()}`
  return (
    <article className={classes.root}>
      <LuseImage base64={luse.isError ? '' : luse.data?.base64Image} alt="" />
      <div className={classes.head}>
        <h3>
          <Link to={`/multihydro/${simulation._id}`}>{input.title}</Link>
        </h3>
        <StatusBadge
          status={simulation.status}
          cancelled={simulation.cancelled}
          place={simulation.queuePlace}
        />
      </div>
      <p className={classes.facts}>
        <span>{place}</span>
        <span className={classes.user}>
          {username === DEFAULT_USER && (
            <IconPaperclip size={14} stroke={1.75} role="img" aria-label={texts.referenceUser} />
          )}
          {username}
        </span>
        {simulation.outdated && <span className={classes.outdated}>{texts.outdated}</span>}
        <time dateTime={simulation.date}>{formatDateTimeFr(simulation.date, timeZone)}</time>
      </p>
      <div className={classes.rain}>
        <Sparkline values={simulation.rainSparkline} />
        <p>
          {simulation.rainWithheld !== null && <span>{simulation.rainWithheld}</span>}
          <span>{rainSourceText(input)}</span>
          <span>{rainDurationText(input)}</span>
        </p>
      </div>
    </article>
  )
}
