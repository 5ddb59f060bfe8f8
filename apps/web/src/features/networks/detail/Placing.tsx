import { Button, TextInput } from '@mantine/core'
import type { NetworkDetail } from '@radx/contracts/networks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import { placeNetwork } from '../api.ts'
import classes from '../Networks.module.css'

const texts = networkTexts.placing

/** Says which system the file's positions are in, so that the map of the world lies below; or that they are of a plane. */
export function Placing({ network: { id, crs } }: { network: NetworkDetail }) {
  const queries = useQueryClient()
  const known = useId()
  const place = useMutation({
    mutationFn: (next: string | null) => placeNetwork(id, next),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['network', id] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('crs') ?? '').trim()
    if (place.isPending) return
    place.mutate(code === '' ? null : /^\d+$/.test(code) ? `EPSG:${code}` : code)
  }
  return (
    <form className={classes.actions} onSubmit={submit} data-testid="network-placing">
      <TextInput
        name="crs"
        label={texts.label}
        description={texts.help}
        placeholder={texts.local}
        defaultValue={crs ?? ''}
        list={known}
        maxLength={12}
        autoComplete="off"
      />
      <datalist id={known}>
        {Object.entries(texts.known).map(([code, name]) => (
          <option key={code} value={`EPSG:${code}`}>
            {name}
          </option>
        ))}
      </datalist>
      <Button type="submit" variant="default" loading={place.isPending}>
        {texts.go}
      </Button>
      {crs !== null && (
        <Button variant="subtle" color="gray" onClick={() => !place.isPending && place.mutate(null)}>
          {texts.toLocal}
        </Button>
      )}
      {place.isError && <Message kind="error">{serverErrorText(place.error)}</Message>}
    </form>
  )
}
