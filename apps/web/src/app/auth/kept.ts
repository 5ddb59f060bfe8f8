import { DEVICE_KEY, parse, read, SESSION_KEY, write } from './session.ts'
import { type AuthState, useAuth } from './store.ts'

/** What the last login at this browser left, to be shown at the next; null without one. */
export const knownDevice = () => read(localStorage, DEVICE_KEY)

/** Keeps the device token of a new password. */
export const keepDevice = (device: string) => write(localStorage, DEVICE_KEY, device)

/** Keeps the roles that are in force now, here and for the next reload. */
export function keepRoles(roles: string[]): void {
  if (roles.join() === useAuth.getState().roles.join()) return
  useAuth.setState({ roles })
  const stored = parse(read(localStorage, SESSION_KEY))
  if (stored) write(localStorage, SESSION_KEY, JSON.stringify({ ...stored, roles }))
}

/** Keeps a new choice of how CSV files are written, here and for the next reload. */
export function keepCsvSetting(csv: AuthState['csv']): void {
  useAuth.setState({ csv })
  const stored = parse(read(localStorage, SESSION_KEY))
  if (stored) write(localStorage, SESSION_KEY, JSON.stringify({ ...stored, csv }))
}
