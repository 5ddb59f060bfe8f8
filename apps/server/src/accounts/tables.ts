import type { CsvDialect } from '@radx/locale/csv'
import type { Generated, Selectable } from 'kysely'

export interface AccountTable {
  id: string
  /** As the person writes it. */
  name: string
  /** As `nameKey` makes it; unique. */
  name_key: string
  password_hash: string
  roles: Generated<string[]>
  avatar: string | null
  restriction_start: Date | null
  restriction_end: Date | null
  disabled_at: Date | null
  /** Made by the demonstration and not touched by an administrator since. */
  is_demo: Generated<boolean>
  /** How its CSV files are written. */
  csv: Generated<CsvDialect>
  /** Nobody knows its password until its holder sets one with a link. */
  invited: Generated<boolean>
  created_at: Generated<Date>
  /** Counts edits, so that two managers do not overwrite each other. */
  version: Generated<number>
}

export interface SessionTable {
  token_hash: Buffer
  account_id: string
  id: Generated<string>
  created_at: Date
  expires_at: Date
  /** To the minute. */
  last_used_at: Date
  address: string | null
  user_agent: string | null
}

interface LoginThrottleTable {
  key: string
  whole_at: Date
}

interface PasswordLinkTable {
  account_id: string
  token_hash: Buffer
  expires_at: Date
}

declare module '../db/schema.ts' {
  interface Database {
    password_link: PasswordLinkTable
    account: AccountTable
    session: SessionTable
    login_throttle: LoginThrottleTable
  }
}

export type AccountRow = Selectable<AccountTable>
export type SessionRow = Selectable<SessionTable>
