import type { CsvDialect } from '@radx/locale/csv'
import { create } from 'zustand'

interface Restriction {
  /** ISO instants; null is open on that side. */
  start: string | null
  end: string | null
}

interface AccountShapefile {
  name: string
  color: string
}

export interface AuthState {
  /** Stays, as the roles do, without a token when the session ended while its owner was at work: his screen waits for him. */
  name: string | null
  token: string | null
  roles: string[]
  avatar: string | null
  restriction: Restriction | null
  /** Validity of the session in ms, as the login answered it. */
  expiresIn: number | null
  shapefiles: AccountShapefile[]
  /** How CSV files are written. */
  csv: CsvDialect
  warning: string | null
  error: string | null
  /** Where to go after login. */
  redirectPath: string | null
}

export const SIGNED_OUT: AuthState = {
  name: null,
  token: null,
  roles: [],
  avatar: null,
  restriction: null,
  expiresIn: null,
  shapefiles: [],
  csv: 'semicolon',
  warning: null,
  error: null,
  redirectPath: null,
}

/** The session as every screen and the API client see it. Login, restoring and expiry write it. */
export const useAuth = create<AuthState>()(() => SIGNED_OUT)

export const isSignedIn = (state: AuthState) => state.token !== null
export const isManager = (state: AuthState) => state.token !== null && state.roles.includes('manager')
/** Whether somebody may add catchments of their own. */
export const mayBringCatchments = (state: AuthState) => isManager(state) || state.roles.includes('catchments')
/** As `isManager`, also for a screen that waits for its reader to sign in again. */
export const hasManagerRole = (state: AuthState) => state.roles.includes('manager')
