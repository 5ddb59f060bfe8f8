import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { genericErrorText } from '../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../app/auth/store.ts'
import { adminTexts } from '../../texts/admin.ts'
import { administrationTexts } from '../../texts/administration.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './AdminScreen.module.css'
import { adminMessageQuery } from './api.ts'
import { MessageEditor } from './MessageEditor.tsx'
import { StatusSection } from './StatusSection.tsx'
import { StoragePart } from './state/StoragePart.tsx'

export default function AdminScreen() {
  const manager = useAuth(hasManagerRole)
  return (
    <div className={classes.root}>
      <h1>{adminTexts.title}</h1>
      {manager ? <ManagerSections /> : <Refusal />}
    </div>
  )
}

function Refusal() {
  return (
    <section className={classes.section}>
      <h2>{adminTexts.forbiddenTitle}</h2>
      <p>{adminTexts.forbidden}</p>
      <p>
        <Link to="/compte">{adminTexts.toAccount}</Link>
      </p>
    </section>
  )
}

type Part = keyof typeof administrationTexts.parts

const PARTS: Record<Part, ComponentType> = {
  accueil: () => (
    <>
      <HomeMessageSection />
      <StatusSection />
      <StoragePart />
    </>
  ),
  comptes: lazy(() => import('./accounts/AccountsPart.tsx')),
  calculs: lazy(() => import('./state/JobsPart.tsx')),
  acquisition: lazy(() => import('./state/IngestPart.tsx')),
  journal: lazy(() => import('./journal/JournalPart.tsx')),
}
const PART_NAMES = Object.keys(PARTS) as Part[]

/** One part at a time; which one stands in the address. */
function ManagerSections() {
  const [query] = useSearchParams()
  const part = PART_NAMES.find((name) => name === query.get('rubrique')) ?? 'accueil'
  const Content = PARTS[part]
  return (
    <>
      <nav className={classes.parts} aria-label={administrationTexts.nav}>
        {PART_NAMES.map((name) => (
          <Link
            key={name}
            to={name === 'accueil' ? '/admin' : `/admin?rubrique=${name}`}
            aria-current={name === part ? 'page' : undefined}
          >
            {administrationTexts.parts[name]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<p role="status">{administrationTexts.loading}</p>}>
        <Content />
      </Suspense>
    </>
  )
}

function HomeMessageSection() {
  const { data, error, refetch } = useQuery(adminMessageQuery)
  return (
    <section className={classes.section} aria-labelledby="message-title">
      <h2 id="message-title">{adminTexts.messageTitle}</h2>
      {adminTexts.messageHelp.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {data ? (
        <MessageEditor saved={data} />
      ) : error ? (
        <Message
          kind="error"
          action={
            <button type="button" className={classes.retry} onClick={() => void refetch()}>
              {adminTexts.retry}
            </button>
          }
        >
          {adminTexts.loadFailed} {genericErrorText(error)}
        </Message>
      ) : (
        <Skeleton height={320} mt="md" />
      )}
    </section>
  )
}
