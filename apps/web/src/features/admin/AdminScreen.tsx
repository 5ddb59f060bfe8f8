import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { genericErrorText } from '../../app/api/errors.ts'
import { isManager, useAuth } from '../../app/auth/store.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './AdminScreen.module.css'
import { adminMessageQuery } from './api.ts'
import { MessageEditor } from './MessageEditor.tsx'
import { StatusSection } from './StatusSection.tsx'

export default function AdminScreen() {
  const manager = useAuth(isManager)
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

function ManagerSections() {
  return (
    <>
      <HomeMessageSection />
      <StatusSection />
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
