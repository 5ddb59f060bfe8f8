import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { AuditChain, AuditEvent } from '@radx/contracts/audit'
import { countFr, formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { civilDayRange } from '@radx/locale/time'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { Instant } from '../Instant.tsx'
import { journalQuery, useVerifyChain } from './api.ts'

const texts = administrationTexts.journal

/** The audit trail: lines by account, action and day, and the state of the chain. */
export default function JournalPart() {
  const { timeZone } = useSite()
  const [actor, setActor] = useState('')
  const [action, setAction] = useState('')
  const [day, setDay] = useState<string | null>('')
  const since = !day ? null : new Date(civilDayRange(day, timeZone).startMs).toISOString()
  const journal = useInfiniteQuery(journalQuery({ actor: actor.trim(), action, since }))
  const events = journal.data?.pages.flatMap((page) => page.events)
  const actions = Object.entries(texts.actions).map(([value, label]) => ({ value, label }))
  return (
    <section className={classes.section} aria-labelledby="journal-title">
      <h2 id="journal-title">{texts.title}</h2>
      <p>{texts.help}</p>
      <Chain />
      <div className={classes.bar}>
        <TextInput
          label={texts.actor}
          placeholder={texts.actorHint}
          maxLength={64}
          value={actor}
          onChange={(event) => setActor(event.currentTarget.value)}
        />
        <NativeSelect
          label={texts.action}
          value={action}
          onChange={(event) => setAction(event.currentTarget.value)}
          data={[{ value: '', label: texts.allActions }, ...actions]}
        />
        <DateField label={texts.since} value={day} onChange={setDay} />
      </div>
      {journal.error && <Message kind="error">{`${texts.failed} ${serverErrorText(journal.error)}`}</Message>}
      {events?.length === 0 && <p>{texts.empty}</p>}
      {events && events.length > 0 && <Lines events={events} timeZone={timeZone} />}
      {journal.hasNextPage && (
        <Button
          mt="md"
          variant="default"
          loading={journal.isFetchingNextPage}
          onClick={() => void journal.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </section>
  )
}

function Lines({ events, timeZone }: { events: AuditEvent[]; timeZone: string }) {
  return (
    <AdminTable
      caption={texts.title}
      heads={[texts.when, texts.who, texts.where, texts.what, texts.on]}
      rows={events.map((event) => ({
        key: event.n,
        cells: [
          <Instant key="at" at={event.at} />,
          event.actor ?? NOBODY[event.via],
          event.address ?? '–',
          texts.actions[event.action] ?? event.action,
          <>
            {event.subject ?? '–'}
            <small>
              {Object.entries(event.details)
                // An empty one was not set.
                .filter(([, value]) => value !== '')
                .sort(([one], [other]) => rank(one) - rank(other))
                .map(([key, value]) => `${texts.details[key] ?? key} ${inWords(value, timeZone)}`)
                .join(', ')}
            </small>
          </>,
        ],
      }))}
    />
  )
}

const PERIOD = ['from', 's', 'start', 'to', 'e', 'end']
/** The trail keeps details by the alphabet: a period is read first, and from its begin. */
const rank = (key: string) => PERIOD.indexOf(key) + 1 || PERIOD.length + 1

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

const inWords = (value: string, timeZone: string) =>
  texts.values[value] ?? (INSTANT.test(value) ? formatDateTimeFr(value, timeZone) : value)

const NOBODY = { page: texts.nobody, command: texts.command, server: texts.server }

function Chain() {
  const verify = useVerifyChain()
  return (
    <div className={classes.bar}>
      <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
        {texts.verify}
      </Button>
      <div aria-live="polite">
        {verify.error && <Message kind="error">{serverErrorText(verify.error)}</Message>}
        {verify.data && <ChainState chain={verify.data} />}
      </div>
    </div>
  )
}

function ChainState({ chain }: { chain: AuditChain }) {
  const count = (n: number) => formatNumberFr(n, 0)
  if (chain.broken)
    return (
      <Message kind="error">
        {texts.broken(count(chain.broken.n), texts.reasons[chain.broken.reason])}
      </Message>
    )
  return (
    <>
      <Message kind="nfo">{texts.sound(countFr(chain.lines, 'ligne'), count(chain.removed))}</Message>
      {chain.head && (
        <span className={classes.code}>
          {texts.head} : {chain.head.n}:{chain.head.hash}
        </span>
      )}
    </>
  )
}
