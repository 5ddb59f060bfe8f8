import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { send } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { detailTexts as texts } from '../../../texts/simulation.ts'
import { questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { isOpen, type SimulationJob, simulationsQuery } from '../api.ts'
import classes from './Header.module.css'

/** Deletes an ended run with its results and notes, once asked twice; then the list is shown. */
export function DeleteRun({ job }: { job: SimulationJob }) {
  const [asked, setAsked] = useState(false)
  const root = useInlineForm<HTMLDivElement>(asked ? 'remove' : null)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => send(`/api/job/${job.id}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: simulationsQuery.queryKey })
      await navigate('/multihydro')
    },
    onError: () => setAsked(false),
  })
  if (isOpen(job.status)) return null
  return (
    <div ref={root} className={classes.question}>
      {asked ? (
        <fieldset
          className={classes.confirm}
          aria-label={texts.remove}
          data-form="remove"
          {...questionKeys(() => setAsked(false))}
        >
          <p>{texts.removeAsk}</p>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.removeYes}
          </Button>
          <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
            {texts.removeNo}
          </Button>
        </fieldset>
      ) : (
        <Button
          variant="subtle"
          color="gray"
          data-opens="remove"
          leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {texts.remove}
        </Button>
      )}
      {remove.isError && <Message kind="error">{genericErrorText(remove.error)}</Message>}
    </div>
  )
}
