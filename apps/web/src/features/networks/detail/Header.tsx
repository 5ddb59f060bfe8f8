import { Button, FileButton, TextInput } from '@mantine/core'
import type { NetworkDetail } from '@radx/contracts/networks'
import { IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useAuth } from '../../../app/auth/store.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { onEscape, questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { removeNetwork, renameNetwork, uploadNetwork } from '../api.ts'
import classes from '../Networks.module.css'

interface Props {
  network: NetworkDetail
  onVersion: (version: number) => void
}

/** Name of a network, and what its owner does with it. */
export function Header({ network, onVersion }: Props) {
  const { id, name, owner, newest, runs } = network
  const me = useAuth((state) => state.name)
  const [part, setPart] = useState<'rename' | 'remove' | null>(null)
  const root = useInlineForm<HTMLElement>(part)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['network', id] }),
      queries.invalidateQueries({ queryKey: ['networks'] }),
    ])
  const rename = useMutation({
    mutationFn: (next: string) => renameNetwork(id, next),
    onSuccess: async () => {
      await refresh()
      setPart(null)
    },
  })
  const add = useMutation({
    mutationFn: (file: File) => uploadNetwork(file, id),
    onSuccess: async ({ version }) => {
      await refresh()
      onVersion(version)
    },
  })
  const remove = useMutation({
    mutationFn: () => removeNetwork(id),
    onSuccess: async () => {
      await navigate('/reseaux')
      queries.removeQueries({ queryKey: ['network', id] })
      await queries.invalidateQueries({ queryKey: ['networks'] })
    },
    onError: () => setPart(null),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (next === name) setPart(null)
    else if (!rename.isPending) rename.mutate(next)
  }
  return (
    <header ref={root}>
      {part === 'rename' ? (
        <form
          className={classes.actions}
          data-form="rename"
          onSubmit={submit}
          onKeyDown={onEscape(() => setPart(null))}
        >
          <h1 className="rx-visually-hidden">{name}</h1>
          <TextInput name="name" aria-label={texts.name} defaultValue={name} maxLength={120} required />
          <Button type="submit" loading={rename.isPending}>
            {texts.save}
          </Button>
          <Button variant="default" onClick={() => setPart(null)}>
            {texts.cancel}
          </Button>
        </form>
      ) : (
        <h1>{name}</h1>
      )}
      <p className={classes.facts}>
        <span>{texts.size(newest.nodes, newest.links, newest.subcatchments)}</span>
        <span>{texts.runs(runs)}</span>
        {owner !== me && <span>{texts.owner(owner)}</span>}
      </p>
      <div className={classes.actions}>
        <FileButton accept=".inp,.zip" onChange={(file) => file && !add.isPending && add.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={add.isPending}
              leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
            >
              {texts.addVersion}
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
          data-opens="rename"
          onClick={() => setPart('rename')}
        >
          {texts.rename}
        </Button>
        {part === 'remove' ? (
          <fieldset
            className={classes.confirm}
            aria-label={texts.remove}
            data-form="remove"
            {...questionKeys(() => setPart(null))}
          >
            <p>{texts.removeAsk}</p>
            <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
              {texts.removeYes}
            </Button>
            <Button variant="default" data-autofocus onClick={() => setPart(null)}>
              {texts.cancel}
            </Button>
          </fieldset>
        ) : (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
            data-opens="remove"
            onClick={() => setPart('remove')}
          >
            {texts.remove}
          </Button>
        )}
      </div>
      {[rename, add, remove].map(
        ({ error }, k) =>
          error && (
            <Message key={k} kind="error">
              {serverErrorText(error)}
            </Message>
          ),
      )}
    </header>
  )
}
