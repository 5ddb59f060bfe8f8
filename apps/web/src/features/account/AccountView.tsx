import { Button } from '@mantine/core'
import { ROLE_CATCHMENTS, ROLE_MANAGER } from '@radx/contracts/accounts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { IconLogout, IconMap, IconTie, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { genericErrorText } from '../../app/api/errors.ts'
import { sessionExpiration } from '../../app/auth/session.ts'
import { useAuth } from '../../app/auth/store.ts'
import { useSite } from '../../app/site.ts'
import { accountTexts } from '../../texts/account.ts'
import { alertsTitle } from '../../texts/alerts-title.ts'
import { restrictionNotice, selectableRange } from '../../texts/restriction.ts'
import { securityTexts } from '../../texts/security.ts'
import { linkTexts } from '../../texts/share.ts'
import { simulationScreenTexts } from '../../texts/simulation-screens.ts'
import { tokenTexts } from '../../texts/tokens.ts'
import { Message } from '../../ui/Message.tsx'
import { AccessTokens } from './AccessTokens.tsx'
import classes from './AccountView.module.css'
import { securityQuery, useCsvSetting, useLogout } from './api.ts'
import { OwnDataSection } from './OwnDataSection.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { PasswordForm, SessionList } from './SecuritySections.tsx'
import { ShapefileTable } from './ShapefileTable.tsx'
import { ShortLinks } from './ShortLinks.tsx'

const FACTOR = 'second-facteur'
const CSV_CHOICES = ['semicolon', 'comma'] as const

export function AccountView() {
  const { timeZone } = useSite()
  const name = useAuth((state) => state.name)
  const logout = useLogout()
  const expiration = sessionExpiration()
  const security = useQuery(securityQuery)
  // Nothing of an account that many share is offered for a change that would be refused.
  const shared = security.data?.shared ?? security.isPending
  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <Avatar />
        <div className={classes.who}>
          <h1>{name}</h1>
          {expiration !== null && (
            <p>
              {accountTexts.session} {accountTexts.sessionUntil.toLowerCase()}{' '}
              {formatDateTimeFr(expiration, timeZone)}
            </p>
          )}
        </div>
        <Button
          variant="default"
          leftSection={<IconLogout size={18} stroke={1.75} aria-hidden />}
          loading={logout.isPending}
          onClick={() => logout.mutate()}
        >
          {accountTexts.logout}
        </Button>
      </header>
      <Section title={accountTexts.roles}>
        <Roles awaited={security.data?.awaited ?? false} />
      </Section>
      <Section title={accountTexts.access}>
        <Access timeZone={timeZone} />
      </Section>
      <Section title={accountTexts.csv}>
        <CsvSetting />
      </Section>
      <Section title={alertsTitle}>
        <p>
          <Link to="/alertes">{accountTexts.alerts}</Link>
        </p>
      </Section>
      <Section title={simulationScreenTexts.catchmentsTitle}>
        <p>
          <Link to="/bassins">{accountTexts.catchments}</Link>
        </p>
      </Section>
      <Section title={accountTexts.layers}>
        <ShapefileTable />
      </Section>
      {shared ? (
        <Section title={securityTexts.title}>
          <p role="status">{security.isPending ? accountTexts.loading : securityTexts.shared}</p>
        </Section>
      ) : (
        <>
          <Section title={securityTexts.title}>
            <PasswordForm />
          </Section>
          <Section title={securityTexts.factor.title} id={FACTOR}>
            <SecondFactor />
          </Section>
        </>
      )}
      <Section title={securityTexts.sessions.title}>
        <SessionList />
      </Section>
      <Section title={tokenTexts.title}>
        <AccessTokens />
      </Section>
      <Section title={linkTexts.title}>
        <ShortLinks />
      </Section>
      {!shared && (
        <Section title={securityTexts.data.title}>
          <OwnDataSection />
        </Section>
      )}
    </div>
  )
}

function CsvSetting() {
  const csv = useAuth((state) => state.csv)
  const keep = useCsvSetting()
  return (
    <fieldset className={classes.choice} disabled={keep.isPending}>
      <legend className="rx-visually-hidden">{accountTexts.csv}</legend>
      {CSV_CHOICES.map((value) => (
        <label key={value}>
          <input type="radio" name="csv" checked={csv === value} onChange={() => keep.mutate(value)} />
          {accountTexts.csvChoices[value]}
        </label>
      ))}
      <p>{accountTexts.csvHint}</p>
      {keep.error && <Message kind="error">{genericErrorText(keep.error)}</Message>}
    </fieldset>
  )
}

interface SectionProps {
  title: string
  /** Where an address of the page leads to it. */
  id?: string
  children: ReactNode
}

function Section({ title, id, children }: SectionProps) {
  const root = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (id !== undefined && hash === `#${id}`) root.current?.scrollIntoView()
  }, [hash, id])
  return (
    <section ref={root} className={classes.section} aria-label={title} id={id}>
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  )
}

function Avatar() {
  const avatar = useAuth((state) => state.avatar)
  const name = useAuth((state) => state.name) ?? ''
  if (avatar) return <img src={avatar} alt="" className={classes.avatar} />
  return (
    <span className={classes.avatar} aria-hidden>
      {name.slice(0, 1).toUpperCase()}
    </span>
  )
}

function Roles({ awaited }: { awaited: boolean }) {
  const roles = useAuth((state) => state.roles)
  const manager = roles.includes(ROLE_MANAGER)
  return (
    <ul className={classes.roles}>
      <li>
        <IconUser size={20} stroke={1.75} aria-hidden />
        <b>{accountTexts.user}</b>
        <span>{accountTexts.userRights}</span>
      </li>
      {awaited && (
        <li>
          <IconTie size={20} stroke={1.75} aria-hidden />
          <b>{accountTexts.manager}</b>
          <span>
            {securityTexts.factor.waiting} <Link to={`#${FACTOR}`}>{securityTexts.factor.toFactor}</Link>
          </span>
        </li>
      )}
      {roles.includes(ROLE_CATCHMENTS) && (
        <li>
          <IconMap size={20} stroke={1.75} aria-hidden />
          <b>{accountTexts.builder}</b>
          <span>{accountTexts.builderRights}</span>
        </li>
      )}
      {manager && (
        <li>
          <IconTie size={20} stroke={1.75} aria-hidden data-icon="tie" />
          <b>{accountTexts.manager}</b>
          <span>{accountTexts.managerRights}</span>
        </li>
      )}
    </ul>
  )
}

function Access({ timeZone }: { timeZone: string }) {
  const { civilZone } = useSite()
  const restriction = useAuth((state) => state.restriction)
  const notice = restrictionNotice(restriction, civilZone)
  if (restriction === null || notice === null) return <p>{accountTexts.unrestricted}</p>
  const { startMs, endMs } = selectableRange(restriction)
  const text = (ms: number) => (Number.isFinite(ms) ? formatDateTimeFr(ms, timeZone) : accountTexts.open)
  return (
    <>
      <Message kind="nfo">{notice}</Message>
      <dl className={classes.hours} aria-label={accountTexts.exact}>
        <div>
          <dt>{accountTexts.from}</dt>
          <dd>{text(startMs)}</dd>
        </div>
        <div>
          <dt>{accountTexts.until}</dt>
          <dd>{text(endMs)}</dd>
        </div>
      </dl>
    </>
  )
}
