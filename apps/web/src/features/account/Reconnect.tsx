import { useEffect, useRef } from 'react'
import { useAuth } from '../../app/auth/store.ts'
import { useModal } from '../../app/modals.ts'
import { queryClient } from '../../app/query.ts'
import { securityTexts } from '../../texts/security.ts'
import { MantineRoot } from '../../ui/MantineRoot.tsx'
import { Message } from '../../ui/Message.tsx'
import { LoginForm } from './LoginForm.tsx'

/** The login in the place of a screen whose session ended; the screen waits unseen, and goes on where it was. */
export default function Reconnect() {
  const root = useRef<HTMLDivElement>(null)
  const told = useModal(({ type }) => type === null)
  useEffect(() => {
    // What had the focus is out of sight; the message that says why comes first.
    if (told) root.current?.querySelector('input')?.focus()
  }, [told])
  useEffect(
    () =>
      // Told before anything is drawn: somebody else gets nothing of what the screens behind had asked for.
      useAuth.subscribe((state, before) => {
        if (state.name !== before.name)
          queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'site' })
      }),
    [],
  )
  useEffect(
    () => () => {
      // What was refused meanwhile is asked for again; the rest stands as it was left.
      void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
      document.getElementById('contenu')?.focus()
    },
    [],
  )
  return (
    <MantineRoot>
      <div ref={root}>
        <LoginForm notice={<Message kind="nfo">{securityTexts.login.waits}</Message>} />
      </div>
    </MantineRoot>
  )
}
