import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { noticeTexts } from '../../../texts/alert-notices.ts'
import classes from '../Alerts.module.css'
import type { Draft } from '../draft.ts'
import { personQuery } from './api.ts'
import { QuietFields } from './QuietFields.tsx'

const texts = noticeTexts.rule

interface Props {
  draft: Draft
  change(values: Partial<Draft>): void
}

/** Who is told of a rule's alerts beside the page. */
export function Recipients({ draft, change }: Props) {
  const { data: person } = useQuery(personQuery)
  if (!person || person.shared) return null
  const { notify, quiet, ownQuiet } = draft
  const set = (values: Partial<Draft['notify']>) => change({ notify: { ...notify, ...values } })
  const isMailed = person.email !== null && person.confirmed
  return (
    <fieldset className={classes.recipients}>
      <legend>{texts.title}</legend>
      <Checkbox
        label={isMailed ? texts.email : texts.emailMissing}
        checked={notify.email}
        disabled={!isMailed && !notify.email}
        onChange={({ currentTarget }) => set({ email: currentTarget.checked })}
      />
      <Checkbox
        label={person.devices.length > 0 ? texts.push : texts.pushMissing}
        checked={notify.push}
        disabled={person.devices.length === 0 && !notify.push}
        onChange={({ currentTarget }) => set({ push: currentTarget.checked })}
      />
      {person.webhooks.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={texts.webhook(name)}
          checked={notify.webhooks.includes(id)}
          onChange={({ currentTarget }) =>
            set({
              // Those that are gone meanwhile go with the next choice.
              webhooks: person.webhooks
                .map((hook) => hook.id)
                .filter((one) => (one === id ? currentTarget.checked : notify.webhooks.includes(one))),
            })
          }
        />
      ))}
      <Checkbox
        label={texts.quiet}
        checked={ownQuiet}
        onChange={({ currentTarget }) => change({ ownQuiet: currentTarget.checked })}
      />
      {ownQuiet && <QuietFields quiet={quiet} onChange={(next) => change({ quiet: next })} />}
    </fieldset>
  )
}
