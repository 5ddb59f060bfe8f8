import type { TokenScope } from '@radx/contracts'
import type { Generated, Selectable } from 'kysely'

interface AccessTokenTable {
  id: Generated<string>
  account_id: string
  name: string
  token_hash: Buffer
  scopes: TokenScope[]
  restriction_start: Date | null
  restriction_end: Date | null
  created_at: Date
  expires_at: Date
  /** To the minute. */
  last_used_at: Date | null
  address: string | null
}

declare module '../../db/schema.ts' {
  interface Database {
    access_token: AccessTokenTable
  }
}

export type AccessTokenRow = Selectable<AccessTokenTable>
