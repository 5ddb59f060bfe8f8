import { CANCELLED_LABEL, JOB_STATUS_LABELS, type JobStatus } from '@radx/contracts/jobs'
import { listTexts } from '../../../texts/simulation.ts'
import classes from './StatusBadge.module.css'

interface Props {
  status: JobStatus
  cancelled?: boolean
  /** Place among those that wait; null when it does not. */
  place?: number | null
}

export function StatusBadge({ status, cancelled = false, place = null }: Props) {
  const ended = status === 'error' && cancelled
  return (
    <span className={classes.root} data-status={ended ? 'cancelled' : status}>
      {ended ? CANCELLED_LABEL : JOB_STATUS_LABELS[status]}
      {status === 'pending' && place !== null && (
        <span className={classes.place}>{listTexts.place(place)}</span>
      )}
    </span>
  )
}
