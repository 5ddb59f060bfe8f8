import type { LoginAnswer } from '@radx/contracts/accounts'
import { sessionTexts } from '../../texts/session.ts'
import { openMessage } from '../modals.ts'
import { queryClient } from '../query.ts'
import { SIGNED_OUT, useAuth } from './store.ts'

/** What local storage keeps: the answer of the login with the instant of its expiry. */
type StoredSession = Omit<LoginAnswer, 'expiresIn' | 'device'> & { expiresIn: number; expiration: number }

export const SESSION_KEY = 'radx-session'
/** Stays after the session: it opens nothing, and keeps strangers' failures from locking this browser out. */
export const DEVICE_KEY = 'radx-device'
const REDIRECT_KEY = 'radx-redirect'
/** The longest that a browser's timer can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1

let logoutTimer: ReturnType<typeof setTimeout> | undefined
let expiration: number | null = null

/** Keeps a session that the login opened, here and in local storage, and starts its logout timer. */
export function openSession({ device, ...answer }: LoginAnswer): void {
  write(localStorage, DEVICE_KEY, device ?? null)
  const stored: StoredSession = { ...answer, expiration: Date.now() + answer.expiresIn }
  write(localStorage, SESSION_KEY, JSON.stringify(stored))
  forgetAnswers()
  adopt(stored)
}

/**
 * Ends the session here: in memory, in local storage and in what calls have answered.
 * @param waits it ended elsewhere or of itself: screens keep what was typed until its owner is back
 */
export function closeSession(waits = false): void {
  clearTimeout(logoutTimer)
  expiration = null
  write(localStorage, SESSION_KEY, null)
  const { name, roles, redirectPath } = useAuth.getState()
  useAuth.setState({ ...SIGNED_OUT, redirectPath, ...(waits && { name, roles }) })
  forgetAnswers()
}

/** Ends a session that expired, or that the server no longer knows, and says so. */
export function expireSession(): void {
  if (useAuth.getState().token === null && read(localStorage, SESSION_KEY) === null) return
  closeSession(true)
  openMessage({ title: sessionTexts.expiredTitle, text: sessionTexts.expired })
}

/**
 * Reads the stored session before anything is shown: a good one is restored with the time it has left, an
 * expired one is ended with its message, and without one nobody is signed in. Other tabs are followed.
 */
export function startSession(): void {
  useAuth.setState({ redirectPath: localPath(read(sessionStorage, REDIRECT_KEY)) })
  useAuth.subscribe((state, before) => {
    if (state.redirectPath !== before.redirectPath) write(sessionStorage, REDIRECT_KEY, state.redirectPath)
  })
  restore()
  addEventListener('storage', (event) => {
    if (event.key === SESSION_KEY || event.key === null) restore()
  })
  // A machine that slept wakes with late timers.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && expiration !== null && Date.now() >= expiration)
      expireSession()
  })
}

function restore(): void {
  const stored = parse(read(localStorage, SESSION_KEY))
  if (stored === null) closeSession(true)
  else if (stored.expiration <= Date.now()) expireSession()
  else if (stored.token !== useAuth.getState().token) adopt(stored)
}

function adopt({ expiration: at, ...session }: StoredSession): void {
  expiration = at
  useAuth.setState({ ...session, csv: session.csv ?? SIGNED_OUT.csv, warning: null, error: null })
  clearTimeout(logoutTimer)
  logoutTimer = setTimeout(expireSession, Math.min(at - Date.now(), TIMER_MAX_MS))
}

/** When the session ends, milliseconds; null without one. */
export const sessionExpiration = () => expiration

/** Answers that another account asked for must not stay in memory. */
function forgetAnswers(): void {
  queryClient.removeQueries({ type: 'inactive' })
}

export function parse(text: string | null): StoredSession | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<StoredSession> | null
    const sound =
      typeof value?.token === 'string' &&
      typeof value.name === 'string' &&
      typeof value.expiration === 'number' &&
      Array.isArray(value.roles) &&
      Array.isArray(value.shapefiles) &&
      typeof value.restriction === 'object'
    return sound ? (value as StoredSession) : null
  } catch {
    return null
  }
}

/** A path of this site; anything else could send people elsewhere. */
function localPath(path: string | null): string | null {
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null
}

// A browser may refuse its storage, e.g. in private windows: the session then lasts as long as the page.
export function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key)
  } catch {
    return null
  }
}

export function write(storage: Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage.removeItem(key)
    else storage.setItem(key, value)
  } catch {
    // See above.
  }
}
