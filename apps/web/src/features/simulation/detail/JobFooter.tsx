import { RADX_VERSION } from '@radx/contracts/constants'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { Link } from 'react-router'
import { useSite } from '../../../app/site.ts'
import { detailTexts } from '../../../texts/simulation.ts'
import { isOpen, type SimulationJob } from '../api.ts'
import classes from './SimulationDetailScreen.module.css'

const texts = detailTexts.footer

/** Which program computes or computed a run that is no longer waiting, below everything else. */
export function JobFooter({ job }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const run = job.result?.run
  const facts = [
    `${isOpen(job.status) ? texts.computing : texts.computed} ${RADX_VERSION}`,
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
