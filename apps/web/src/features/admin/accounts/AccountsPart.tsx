import { Button, TextInput } from '@mantine/core'
import { ROLE_CATCHMENTS, ROLE_MANAGER, USERNAME_MAX } from '@radx/contracts/accounts'
import type { AdminAccount, AdminAccounts } from '@radx/contracts/administration'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { Instant } from '../Instant.tsx'
import { AccountForm } from './AccountForm.tsx'
import { accountsQuery, type Made } from './api.ts'
import { LinkShown } from './LinkShown.tsx'

const texts = administrationTexts.accounts
const MB = 1e6
const KEPT = ['runs', 'exports', 'events', 'landUses', 'gauges', 'tables', 'networks', 'catchments'] as const

/** Accounts shown at first, and again each time that more are asked for. */
const SHOWN = 50

/** Accounts with their rights and what they keep; one at a time is edited. */
export default function AccountsPart() {
  const { data, error } = useQuery(accountsQuery)
  const [edited, setEdited] = useState<string | 'new' | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const account = data?.accounts.find(({ id }) => id === edited)
  // Its holder may have erased the account that is being edited.
  const open = edited === 'new' || account ? edited : null
  const root = useInlineForm<HTMLElement>(made ? 'link' : open)
  // What was read stays where it cannot be read again: somebody may be typing below.
  if (error && !data) return <Message kind="error">{serverErrorText(error)}</Message>
  if (!data) return <p role="status">{administrationTexts.loading}</p>
  return (
    <section ref={root} className={classes.section} aria-labelledby="accounts-title">
      <h2 id="accounts-title">{texts.title}</h2>
      <p>{texts.help}</p>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {made && <LinkShown made={made} onClose={() => setMade(null)} />}
      {open === null && (
        <div className={classes.bar}>
          <Button data-opens="new" onClick={() => setEdited('new')}>
            {texts.create}
          </Button>
        </div>
      )}
      {open !== null && (
        <AccountForm
          key={open}
          account={account ?? null}
          layers={data.layers}
          onLink={setMade}
          onClose={() => setEdited(null)}
        />
      )}
      <List data={data} onEdit={setEdited} />
    </section>
  )
}

function List({ data, onEdit }: { data: AdminAccounts; onEdit: (id: string) => void }) {
  const { timeZone } = useSite()
  const [sought, setSought] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const part = sought.trim().toLowerCase()
  const found = data.accounts.filter(({ name }) => name.toLowerCase().includes(part))
  return (
    <>
      {data.accounts.length > SHOWN && (
        <div className={classes.bar}>
          <TextInput
            label={texts.seek}
            value={sought}
            maxLength={USERNAME_MAX}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              setSought(event.currentTarget.value)
              setShown(SHOWN)
            }}
          />
          <p role="status">{texts.found(Math.min(shown, found.length), found.length)}</p>
        </div>
      )}
      <AdminTable
        caption={texts.title}
        heads={[texts.name, texts.rights, texts.lastUsed, texts.use, texts.actions]}
        rows={found.slice(0, shown).map((account) => ({
          key: account.id,
          cells: cellsOf(account, data.quotas, timeZone, onEdit),
        }))}
      />
      {found.length > shown && (
        <Button mt="md" variant="default" onClick={() => setShown(shown + SHOWN)}>
          {texts.more}
        </Button>
      )}
    </>
  )
}

function cellsOf(
  account: AdminAccount,
  quotas: AdminAccounts['quotas'],
  timeZone: string,
  onEdit: (id: string) => void,
): ReactNode[] {
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const { start, end } = account.restriction
  const { use } = account
  const of = (n: number, most: number) => `${formatNumberFr(n, 0)} / ${formatNumberFr(most, 0)}`
  const state = account.disabled ? texts.disabled : account.demo ? texts.demo : null
  return [
    <>
      {account.name}
      {state !== null && <small>{state}</small>}
      {account.invited && <small>{texts.invited}</small>}
      {account.secondFactor && <small>{texts.secondFactor}</small>}
    </>,
    <>
      {account.roles.includes(ROLE_MANAGER) ? texts.manager : texts.user}
      {account.roles.includes(ROLE_CATCHMENTS) && <small>{texts.catchments}</small>}
      <small>
        {start === null && end === null
          ? texts.allDates
          : texts.period(start === null ? null : at(start), end === null ? null : at(end))}
      </small>
    </>,
    account.lastUsedAt === null ? texts.noSession : <Instant key="used" at={account.lastUsedAt} />,
    <ul key="use" className={classes.use}>
      {KEPT.map((what) => (
        <li key={what} data-full={use[what] >= quotas[what] || undefined}>
          {texts.kept[what]} {of(use[what], quotas[what])}
        </li>
      ))}
      <li data-full={use.bytes >= quotas.bytes || undefined}>{of(use.bytes / MB, quotas.bytes / MB)} Mo</li>
    </ul>,
    <Button
      key="edit"
      variant="default"
      size="xs"
      disabled={account.demo}
      aria-label={texts.editLabel(account.name)}
      data-opens={account.id}
      onClick={() => onEdit(account.id)}
    >
      {texts.edit}
    </Button>,
  ]
}
