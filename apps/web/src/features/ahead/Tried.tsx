import { Button } from '@mantine/core'
import type { Job } from '@radx/contracts/jobs'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callJson } from '../../app/api/client.ts'
import { serverErrorText } from '../../app/api/errors.ts'
import { useJob } from '../../jobs/useJob.ts'
import { whatIfTexts as texts } from '../../texts/what-if.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AheadScreen.module.css'
import type { Address } from './address.ts'
import { figuresQuery, type Line, linesOf } from './what-if.ts'

interface Props {
  tried: NonNullable<Address['tried']>
  onAgain(): void
}

/** Both runs of a what-if until they are over, then side by side. */
export function Tried({ tried, onAgain }: Props) {
  const changed = useJob(tried.changed)
  const unchanged = useJob(tried.unchanged)
  const isDone = [changed, unchanged].every(({ job }) => job?.status === 'done')
  const running = [changed, unchanged].some((one) => one.running)
  const cancel = useMutation({
    mutationFn: () =>
      Promise.all(
        Object.values(tried).map((id) => callJson<Job>(`/api/job/${id}/cancel`, { method: 'POST' })),
      ),
  })
  const error = changed.error ?? unchanged.error ?? cancel.error
  return (
    <div className={classes.whatIf}>
      {title(changed.job) !== '' && <p>{title(changed.job)}</p>}
      {!isDone && (
        <ul className={classes.settings} aria-live="polite">
          <Follow name={texts.unchanged} run={unchanged} />
          <Follow name={texts.changed} run={changed} />
        </ul>
      )}
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {isDone && <Figures tried={tried} />}
      <div className={classes.bar}>
        {isDone && (
          <Button component={Link} to={compareAddress(tried)}>
            {texts.compare}
          </Button>
        )}
        {running && (
          <TextButton disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
            {cancel.isSuccess ? texts.cancelling : texts.cancel}
          </TextButton>
        )}
        {!running && <TextButton onClick={onAgain}>{texts.again}</TextButton>}
      </div>
    </div>
  )
}

const title = (job: Job | undefined): string => (job?.input as { title?: string } | undefined)?.title ?? ''

/** The page of the changed run, with the other as its reference and both depths open. */
export function compareAddress({ changed, unchanged }: Props['tried']): string {
  const query = new URLSearchParams({ sortie: 'depth', reference: unchanged, titre: texts.unchanged })
  return `/multihydro/${changed}?${query}`
}

function Follow({ name, run }: { name: string; run: ReturnType<typeof useJob> }) {
  const { job, running, progress } = run
  const share = progress.max > 0 ? Math.floor((100 * progress.value) / progress.max) : 0
  const told =
    job?.status === 'error'
      ? job.cancelled
        ? texts.cancelled
        : texts.failed(job.output?.error ?? '')
      : job?.status === 'done'
        ? texts.done
        : running && (job?.status === 'running' || share > 0)
          ? texts.progress(share)
          : texts.waiting
  return (
    <li>
      {name}
      {'\u00a0'}: {told}
    </li>
  )
}

function Figures({ tried }: Pick<Props, 'tried'>) {
  const changed = useQuery(figuresQuery(tried.changed))
  const unchanged = useQuery(figuresQuery(tried.unchanged))
  const error = changed.error ?? unchanged.error
  if (error) return <Message kind="error">{serverErrorText(error)}</Message>
  if (!changed.data || !unchanged.data) return <p role="status">{texts.figures}</p>
  const lines = linesOf(unchanged.data, changed.data)
  return (
    <>
      {lines.every((line) => differenceOf(line) === 0) && <p>{texts.same}</p>}
      <div className={classes.compared}>
        <DataTable caption={texts.table} head={texts.head} rows={lines.map(rowOf)} />
      </div>
    </>
  )
}

const differenceOf = ({ changed, unchanged, digits }: Line): number =>
  Number((changed - unchanged).toFixed(digits))

function rowOf(line: Line): string[] {
  const { name, unit, digits, unchanged, changed } = line
  const quantity = (value: number) =>
    unit === '' ? formatNumberFr(value, digits) : formatQuantityFr(value, unit, digits)
  const difference = differenceOf(line)
  return [name, quantity(unchanged), quantity(changed), `${difference > 0 ? '+' : ''}${quantity(difference)}`]
}
