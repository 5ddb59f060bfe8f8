import { Button, TextInput } from '@mantine/core'
import { DEFAULT_USER } from '@radx/contracts/simulation'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { IconCheck, IconMap2, IconPaperclip, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { send } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { listTexts, detailTexts as texts } from '../../../texts/simulation.ts'
import { workspaceTexts } from '../../../texts/workspace.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { isWithheld, jobQuery, type SimulationJob, simulationsQuery } from '../api.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { DeleteRun } from './DeleteRun.tsx'
import classes from './Header.module.css'

/** Whether the signed-in person may change a run's title and notes: its owner or a manager, nobody for `default`. */
export function useMayEdit(job: SimulationJob): boolean {
  const name = useAuth((state) => state.name)
  const manager = useAuth(hasManagerRole)
  return job.username !== DEFAULT_USER && (manager || job.username === name)
}

export function Header({ job }: { job: SimulationJob }) {
  // The reference and the moment go along.
  const { search } = useLocation()
  const { timeZone } = useSite()
  const { input } = job
  const mayEdit = useMayEdit(job)
  return (
    <header className={classes.root}>
      <Title job={job} />
      <StatusBadge status={job.status} cancelled={job.cancelled} place={job.queuePlace} />
      <dl className={classes.facts}>
        <div>
          <dt>{texts.catchment}</dt>
          <dd>
            {input.catchmentDisplay}
            {input.catchmentSynthetic && (
              <span className={classes.synthetic}>{listTexts.syntheticShort}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.caseStudy}</dt>
          <dd>{input.caseStudyId === '' ? texts.noCaseStudy : input.caseStudyId.toUpperCase()}</dd>
        </div>
        <div>
          <dt>{texts.user}</dt>
          <dd>
            {job.username === DEFAULT_USER && (
              <IconPaperclip size={15} stroke={1.75} role="img" aria-label={listTexts.referenceUser} />
            )}
            {job.username}
          </dd>
        </div>
        <div>
          <dt>{texts.date}</dt>
          <dd>{formatDateTimeFr(job.date, timeZone)}</dd>
        </div>
      </dl>
      {/* A form begins at rest and takes rain that was measured. */}
      {!input.live && (
        <Button
          component={Link}
          to={`${input.caseStudyId === '' ? '/multihydro/form' : `/multihydro/case-study/form/${input.caseStudyId}`}?depuis=${job.id}`}
          variant="default"
          leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
        >
          {texts.restart}
        </Button>
      )}
      {job.status === 'done' && !isWithheld(job) && (
        <Button
          component={Link}
          to={`/multihydro/${job.id}/espace${search}`}
          leftSection={<IconMap2 size={18} stroke={1.75} aria-hidden />}
        >
          {workspaceTexts.open}
        </Button>
      )}
      {mayEdit && <DeleteRun job={job} />}
    </header>
  )
}

function Title({ job }: { job: SimulationJob }) {
  const { title } = job.input
  const mayEdit = useMayEdit(job)
  const queries = useQueryClient()
  const [draft, setDraft] = useState<string | null>(null)
  const root = useInlineForm<HTMLDivElement>(draft === null ? null : 'title')
  const rename = useMutation({
    mutationFn: (next: string) =>
      send(`/api/multihydro/${job.id}/title`, { method: 'PUT', body: { title: next } }),
    onSuccess: (_answer, next) => {
      queries.setQueryData(jobQuery(job.id).queryKey, (before) =>
        before ? { ...before, input: { ...before.input, title: next } } : before,
      )
      void queries.invalidateQueries({ queryKey: simulationsQuery.queryKey })
    },
    // The title of before stands again, with the reason below it.
    onSettled: () => setDraft(null),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (draft === null || rename.isPending) return
    const next = draft.trim()
    if (next === title) setDraft(null)
    else rename.mutate(next)
  }
  return (
    <div ref={root} className={classes.title}>
      {draft === null ? (
        <>
          <h1>{title}</h1>
          {mayEdit && (
            <IconButton
              label={texts.rename}
              data-opens="title"
              onClick={() => {
                rename.reset()
                setDraft(title)
              }}
            >
              <IconPencil size={20} stroke={1.75} />
            </IconButton>
          )}
        </>
      ) : (
        <form data-form="title" onSubmit={save}>
          <TextInput
            aria-label={texts.titleLabel}
            value={draft}
            maxLength={200}
            size="md"
            onChange={({ currentTarget: { value } }) => setDraft(value)}
            onKeyDown={({ key }) => {
              if (key === 'Escape') setDraft(null)
            }}
          />
          <IconButton type="submit" label={texts.saveTitle} loading={rename.isPending}>
            <IconCheck size={20} stroke={1.75} />
          </IconButton>
        </form>
      )}
      {rename.isError && <Message kind="error">{genericErrorText(rename.error)}</Message>}
    </div>
  )
}
