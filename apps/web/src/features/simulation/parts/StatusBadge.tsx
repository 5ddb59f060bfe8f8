import { JOB_STATUS_LABELS, type JobStatus } from '@radx/contracts/jobs'
import classes from './StatusBadge.module.css'

export function StatusBadge({ status }: { status: JobStatus }) {
  return (
    <span className={classes.root} data-status={status}>
      {JOB_STATUS_LABELS[status]}
    </span>
  )
}
