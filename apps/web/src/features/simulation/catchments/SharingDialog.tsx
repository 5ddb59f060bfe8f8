import { Button, Radio, Textarea } from '@mantine/core'
import { CATCHMENT_SHARINGS, type CatchmentSharing, type KeptCatchment } from '@radx/contracts/own-catchments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { catchmentTexts } from '../../../texts/catchments.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Message } from '../../../ui/Message.tsx'
import { shareCatchment } from './api.ts'
import classes from './Catchments.module.css'

const texts = catchmentTexts.sharing
/** Longest text of names. */
const NAMES_MAX = 4_000

const namesOf = (text: string) =>
  [...new Set(text.split(/[\n,;]+/).map((name) => name.trim()))].filter(Boolean)

interface Props {
  catchment: KeptCatchment
  opened: boolean
  onClose: () => void
}

/** Who sees a catchment. */
export function SharingDialog({ catchment, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title(catchment.name)} size="md">
      <Choices catchment={catchment} onClose={onClose} />
    </Dialog>
  )
}

function Choices({ catchment: { id, sharing, sharedWith }, onClose }: Omit<Props, 'opened'>) {
  const [chosen, setChosen] = useState<CatchmentSharing>(sharing)
  const [names, setNames] = useState(sharedWith.join('\n'))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      shareCatchment(id, { sharing: chosen, names: chosen === 'named' ? namesOf(names) : [] }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['kept-catchments'] })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form className={classes.sharing} onSubmit={submit}>
      <Radio.Group
        aria-label={catchmentTexts.share}
        value={chosen}
        onChange={(value) => setChosen(value as CatchmentSharing)}
      >
        {CATCHMENT_SHARINGS.map((value) => (
          <Radio
            key={value}
            value={value}
            label={texts.choices[value]}
            description={texts.help[value]}
            data-autofocus={value === sharing || undefined}
            mt={12}
          />
        ))}
      </Radio.Group>
      {chosen === 'named' && (
        <Textarea
          label={texts.names}
          description={texts.namesHelp}
          value={names}
          maxLength={NAMES_MAX}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => setNames(event.currentTarget.value)}
        />
      )}
      <p className={classes.dim}>{texts.less}</p>
      {save.error && <Message kind="error">{serverErrorText(save.error)}</Message>}
      <div className={classes.actions}>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={chosen === 'named' && namesOf(names).length === 0}
        >
          {catchmentTexts.save}
        </Button>
        <Button variant="default" onClick={onClose}>
          {catchmentTexts.cancel}
        </Button>
      </div>
    </form>
  )
}
