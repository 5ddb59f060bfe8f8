import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { genericErrorText } from '../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../app/auth/store.ts'
import { part } from '../../app/part.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { administrationTexts } from '../../texts/administration.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './AdminScreen.module.css'
import { adminMessageQuery, ownSecurityQuery } from './api.ts'
import { MessageEditor } from './MessageEditor.tsx'
import { StatusSection } from './StatusSection.tsx'
import { NoticesPart } from './state/NoticesPart.tsx'
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
  // A manager whose rights wait for a second factor is told what to do, and not that he is none.
  const { data: security } = useQuery(ownSecurityQuery)
  return (
    <section className={classes.section}>
      <h2>{security?.awaited ? adminTexts.awaitedTitle : adminTexts.forbiddenTitle}</h2>
      <p>{security?.awaited ? adminTexts.awaited : adminTexts.forbidden}</p>
      <p>
        <Link to={security?.awaited ? '/compte#second-facteur' : '/compte'}>{adminTexts.toAccount}</Link>
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
      <NoticesPart />
      <StoragePart />
    </>
  ),
  comptes: part(() => import('./accounts/AccountsPart.tsx')),
  calculs: part(() => import('./state/JobsPart.tsx')),
  acquisition: part(() => import('./state/IngestPart.tsx')),
  retraitement: part(() => import('./reprocessing/ReprocessingPart.tsx')),
  journal: part(() => import('./journal/JournalPart.tsx')),
}
const PART_NAMES = Object.keys(PARTS) as Part[]

/** One part at a time; which one stands in the address. */
function ManagerSections() {
  const [query] = useSearchParams()
  const shown = PART_NAMES.find((name) => name === query.get('rubrique')) ?? 'accueil'
  const Content = PARTS[shown]
  return (
    <>
      <nav className={classes.parts} aria-label={administrationTexts.nav}>
        {PART_NAMES.map((name) => (
          <Link
            key={name}
            to={name === 'accueil' ? '/admin' : `/admin?rubrique=${name}`}
            aria-current={name === shown ? 'page' : undefined}
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
