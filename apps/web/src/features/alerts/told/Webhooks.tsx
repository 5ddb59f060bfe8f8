import { Button, TextInput } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { noticeTexts } from '../../../texts/alert-notices.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import classes from '../Alerts.module.css'
import { useAddWebhook, useRemoveWebhook, useTestWebhook, webhooksQuery } from './api.ts'

const texts = noticeTexts.hooks

/** Addresses that rules of managers have called. */
export function Webhooks() {
  const { timeZone } = useSite()
  const { data, error } = useQuery(webhooksQuery)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const add = useAddWebhook()
  const remove = useRemoveWebhook()
  const test = useTestWebhook()
  const once = useOneAtATime()
  const failure = error ?? add.error ?? remove.error ?? test.error
  return (
    <>
      <h3>{texts.title}</h3>
      <p className={classes.dim}>{texts.intro}</p>
      {data?.length === 0 && <p className={classes.dim}>{texts.none}</p>}
      <ul className={classes.list} hidden={!data?.length}>
        {data?.map((hook) => (
          <li key={hook.id}>
            <div>
              <h3>{hook.name}</h3>
              <p>
                <span>{hook.url}</span>
                <span>{texts.by(hook.by)}</span>
                <span>
                  {hook.lastSent === null
                    ? texts.never
                    : texts.lastSent(formatDateTimeFr(hook.lastSent, timeZone))}
                </span>
                {hook.lastError !== null && <span>{texts.lastError(hook.lastError)}</span>}
              </p>
            </div>
            <div className={classes.actions}>
              <Button
                size="compact-md"
                variant="default"
                aria-label={texts.testLabel(hook.name)}
                disabled={test.isPending}
                onClick={() => test.mutate(hook)}
              >
                {texts.test}
              </Button>
              <AskedRemoval
                label={texts.remove}
                name={texts.removeLabel(hook.name)}
                ask={texts.removeAsk}
                onYes={() => remove.mutate(hook.id)}
              />
            </div>
          </li>
        ))}
      </ul>
      {test.data && (
        <Message kind={test.data.ok ? 'nfo' : 'error'}>
          {test.data.ok ? texts.ok(test.data.name) : texts.failed(test.data.error ?? '')}
        </Message>
      )}
      {add.data && (
        <Message kind="nfo">
          {texts.secret} <code>{add.data.secret}</code>
        </Message>
      )}
      {failure && <Message kind="error">{serverErrorText(failure)}</Message>}
      <form
        className={classes.form}
        aria-label={texts.add}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '' || url.trim() === '') return
          once((ended) =>
            add.mutate(
              { name: name.trim(), url: url.trim() },
              {
                onSettled: ended,
                onSuccess: () => {
                  setName('')
                  setUrl('')
                },
              },
            ),
          )
        }}
        noValidate
      >
        <div className={classes.fields}>
          <TextInput
            label={texts.name}
            value={name}
            maxLength={100}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            type="url"
            label={texts.url}
            value={url}
            maxLength={1_000}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </div>
        <div className={classes.actions}>
          <Button type="submit" variant="default" loading={add.isPending}>
            {texts.add}
          </Button>
        </div>
      </form>
    </>
  )
}
