import { RADX_VERSION } from '@radx/contracts/constants'
import { formatDateTimeFr, formatNumberFr } from '@radx/rainfall/format-fr'
import { Link } from 'react-router'
import { useSite } from '../../../app/site.ts'
import { detailTexts } from '../../../texts/simulation.ts'
import type { SimulationJob } from '../api.ts'
import classes from './SimulationDetailScreen.module.css'

const texts = detailTexts.footer

/** Where a result comes from, below everything of a run that is no longer waiting. */
export function JobFooter({ job }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const run = job.result?.run
  const facts = [
    `${texts.computed} ${RADX_VERSION}`,
    formatDateTimeFr(job.msgDate ?? job.date, timeZone),
    ...(run ? [`${formatNumberFr(run.steps)} ${texts.steps}`, `${texts.kernel} ${String(run.kernel)}`] : []),
    job.id,
  ]
  return (
    <footer className={classes.footer}>
      <p>{facts.join(' · ')}</p>
      <Link to="/multihydro">{detailTexts.back}</Link>
    </footer>
  )
}
