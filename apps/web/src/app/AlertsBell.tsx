import { ALERTS_CHANGED, ALERTS_JOIN, type AlertsCurrent } from '@radx/contracts/alerts'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { alertTexts } from '../texts/alerts.ts'
import { callJson } from './api/client.ts'
import { useAuth } from './auth/store.ts'
import classes from './Header.module.css'

/** Where the socket says nothing, this does. */
const REFRESH_MS = 60_000

/** Alerts that go on, on every page of who has rules; nothing while there are none. */
export default function AlertsBell() {
  const token = useAuth((state) => state.token)
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['alerts', 'current', token],
    queryFn: ({ signal }) => callJson<AlertsCurrent>('/api/alerts/current', { signal }),
    enabled: token !== null,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  const hasRules = (data?.rules ?? 0) > 0
  useEffect(() => {
    if (!hasRules || token === null) return
    let stop = () => {}
    let isOver = false
    // The library comes only for those who have something to hear.
    void import('socket.io-client').then(({ io }) => {
      if (isOver) return
      const socket = io({ auth: { token }, transports: ['websocket', 'polling'] })
      socket.on('connect', () => socket.emit(ALERTS_JOIN))
      socket.on(ALERTS_CHANGED, () => void client.invalidateQueries({ queryKey: ['alerts'] }))
      stop = () => socket.disconnect()
    }, ignored)
    return () => {
      isOver = true
      stop()
    }
  }, [hasRules, token, client])
  const current = data?.current ?? []
  const said = useNews(data ? current : null)
  return (
    <>
      <span className={classes.said} role="status">
        {said}
      </span>
      {current.length > 0 && (
        <Link to="/alertes" className={classes.bell} aria-label={alertTexts.bell(current.length)}>
          <IconBellRinging size={20} stroke={1.75} aria-hidden />
          <b>{current.length}</b>
        </Link>
      )}
    </>
  )
}

const ignored = () => undefined

/** What is said aloud of an alert that was not there before. */
function useNews(current: AlertsCurrent['current'] | null): string {
  const known = useRef<Set<string> | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (current === null) return
    const before = known.current
    known.current = new Set(current.map(({ id }) => id))
    const fresh = before && current.find(({ id }) => !before.has(id))
    if (fresh) setSaid(alertTexts.arrived(fresh.rule))
  }, [current])
  return said
}
