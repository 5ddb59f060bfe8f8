import { Button, Textarea } from '@mantine/core'
import { formatDuration } from '@radx/locale/duration'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../../app/api/client.ts'
import { ApiError, genericErrorText } from '../../../app/api/errors.ts'
import { setTexts } from '../../../texts/calibration.ts'
import { equationTexts } from '../../../texts/design.ts'
import { detailTexts as texts } from '../../../texts/simulation.ts'
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx'
import { Message } from '../../../ui/Message.tsx'
import { notesQuery, type SimulationJob } from '../api.ts'
import { setText } from '../calibration/parameters.ts'
import { rainDurationText, rainSourceText } from '../list/listing.ts'
import { useMayEdit } from './Header.tsx'
import classes from './Panels.module.css'

export function ModulesPanel({ job: { input } }: { job: SimulationJob }) {
  const modules: [string, boolean, string | null][] = [
    [texts.surface, true, equationTexts.choices[input.equations ?? 'inertial']],
    [texts.soil, input.soilModule === 'true', null],
    [texts.drainage, input.drainageModule === 'true', null],
    [texts.barrier, input.barrier === 'true', `${texts.height} ${metres(input.barrierHeight)}`],
    [texts.bassin, input.bassin === 'true', `${texts.depth} ${metres(input.bassinDepth)}`],
    [texts.greenRoof, input.greenRoof === 'true', null],
  ]
  return (
    <section className={classes.panel} aria-label={texts.modules}>
      <h2>{texts.modules}</h2>
      <ul className={classes.modules}>
        {modules.map(([name, on, more]) => (
          <li key={name} data-on={on}>
            {on ? (
              <IconCheck size={18} stroke={2} aria-hidden />
            ) : (
              <IconMinus size={18} stroke={2} aria-hidden />
            )}
            <span>
              {name}
              {more && (
                <>
                  {' '}
                  <small>{more}</small>
                </>
              )}
            </span>{' '}
            <span>{on ? texts.activated : texts.deactivated}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const metres = (text: string) => formatQuantityFr(Number(text) || 0, 'm', 2, true)

export function Summary({ job }: { job: SimulationJob }) {
  const { input } = job
  const rows: [string, string][] = [
    [texts.rain.title, `${rainSourceText(input)}, ${rainDurationText(input)}`],
    [texts.simulated, formatDuration(input.simulationDuration * 3_600_000)],
    [texts.computing, job.delay === null ? '–' : formatDuration(job.delay)],
    [texts.cells, formatNumberFr(input.luseUpdates.length)],
    [setTexts.label, input.parameterSet ? setText(input.parameterSet) : setTexts.ofCatchment],
    [texts.identifier, job.id],
  ]
  return (
    <section className={classes.panel} aria-label={texts.summary}>
      <h2>{texts.summary}</h2>
      <dl className={classes.rows}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const isStale = (error: unknown) => error instanceof ApiError && error.code === 'simulation.staleNotes'

export function Notes({ job }: { job: SimulationJob }) {
  const mayEdit = useMayEdit(job)
  const notes = useQuery(notesQuery(job.id))
  const queries = useQueryClient()
  const [draft, setDraft] = useState<string | null>(null)
  /** The notes that the draft was made from. */
  const [before, setBefore] = useState('')
  const save = useMutation({
    mutationFn: (comment: string) =>
      send(`/api/multihydro/${job.id}/comment`, { method: 'PUT', body: { comment, before } }),
    onSuccess: (_answer, comment) => {
      queries.setQueryData(notesQuery(job.id).queryKey, comment)
      setDraft(null)
    },
    // What somebody else wrote is shown beside the draft; who then saves has seen it.
    onError: async (error) => {
      if (!isStale(error)) return
      const { data } = await notes.refetch()
      if (data !== undefined) setBefore(data)
    },
  })
  const edit = (value: string) => {
    if (draft === null) setBefore(notes.data ?? '')
    setDraft(value)
  }
  const stale = save.isError && isStale(save.error)
  const changed = draft !== null && draft !== notes.data
  return (
    <section className={classes.panel} aria-label={texts.notes}>
      <h2>{texts.notes}</h2>
      <LeaveGuard active={changed} title={texts.leaveNotes.title} text={texts.leaveNotes.text} />
      {notes.isError ? (
        <Message kind="error">{genericErrorText(notes.error)}</Message>
      ) : mayEdit ? (
        <>
          <Textarea
            aria-label={texts.notes}
            placeholder={texts.notesPlaceholder}
            autosize
            minRows={4}
            maxRows={14}
            maxLength={20_000}
            disabled={notes.isPending}
            value={draft ?? notes.data ?? ''}
            onChange={({ currentTarget: { value } }) => edit(value)}
          />
          <div className={classes.save}>
            <span aria-live="polite">{save.isSuccess && !changed && texts.notesSaved}</span>
            <Button
              size="compact-md"
              variant="default"
              disabled={!changed}
              loading={save.isPending}
              onClick={() => save.mutate(draft ?? '')}
            >
              {texts.saveNotes}
            </Button>
          </div>
          {save.isError && (
            <Message kind="error">{stale ? texts.notesStale : genericErrorText(save.error)}</Message>
          )}
          {stale && (
            <figure className={classes.stored}>
              <figcaption>{texts.notesStored}</figcaption>
              <p className={classes.notes}>{notes.data || texts.notesEmpty}</p>
            </figure>
          )}
        </>
      ) : (
        <>
          <p className={classes.notes}>{notes.data || texts.notesEmpty}</p>
          <p className={classes.dim}>{texts.notesReadOnly}</p>
        </>
      )}
    </section>
  )
}
