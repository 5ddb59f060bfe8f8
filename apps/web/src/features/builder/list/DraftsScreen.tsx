import { Button, TextInput } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { mayBringCatchments, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { builderTexts as texts } from '../../../texts/builder.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { QueryState } from '../../../ui/QueryState.tsx'
import { createDraft, draftsQuery, removeDraft } from '../api.ts'
import classes from '../Builder.module.css'

/** One's catchments on their way, and the beginning of another. */
export default function DraftsScreen() {
  const may = useAuth(mayBringCatchments)
  return (
    <div className={classes.page}>
      <header className={classes.intro}>
        <h1>{texts.title}</h1>
        <p>{texts.lead}</p>
      </header>
      {may ? (
        <>
          <Begin />
          <section aria-labelledby="drafts">
            <h2 id="drafts">{texts.mine}</h2>
            <List />
          </section>
        </>
      ) : (
        <Message kind="warning">{texts.noRight}</Message>
      )}
    </div>
  )
}

function Begin() {
  const navigate = useNavigate()
  const oneAtATime = useOneAtATime()
  const create = useMutation({
    mutationFn: createDraft,
    onSuccess: ({ id }) => navigate(`/bassins/nouveau/${id}`),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (name !== '') oneAtATime((ended) => create.mutate(name, { onSettled: ended }))
  }
  return (
    <form className={classes.begin} onSubmit={submit}>
      <TextInput
        name="name"
        label={texts.name}
        placeholder={texts.namePlaceholder}
        maxLength={120}
        required
        autoComplete="off"
      />
      <Button type="submit" loading={create.isPending}>
        {texts.create}
      </Button>
      {create.isError && <Message kind="error">{serverErrorText(create.error)}</Message>}
    </form>
  )
}

function List() {
  const drafts = useQuery(draftsQuery)
  const queries = useQueryClient()
  const { timeZone } = useSite()
  const remove = useMutation({
    mutationFn: removeDraft,
    onSettled: () => queries.invalidateQueries({ queryKey: draftsQuery.queryKey }),
  })
  if (!drafts.data) return <QueryState query={drafts} there={false} waits={texts.loading} />
  if (drafts.data.length === 0) return <p className={classes.dim}>{texts.empty}</p>
  return (
    <>
      {remove.isError && <Message kind="error">{serverErrorText(remove.error)}</Message>}
      <ul className={classes.drafts}>
        {drafts.data.map(({ id, name, files, bytes, updatedAt }) => (
          <li key={id}>
            <h3>
              <Link to={`/bassins/nouveau/${id}`}>{name}</Link>
            </h3>
            <p>
              <span>{texts.files(files, bytes / 1e6)}</span>
              <time dateTime={updatedAt}>{texts.changed(formatDateTimeFr(updatedAt, timeZone))}</time>
            </p>
            <AskedRemoval
              label={texts.remove}
              name={texts.removeDraft(name)}
              ask={texts.removeAsk}
              onYes={() => !remove.isPending && remove.mutate(id)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
