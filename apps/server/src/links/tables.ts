import type { Selectable } from 'kysely'

interface ShortLinkTable {
  name: string
  account_id: string
  path: string
  created_at: Date
  expires_at: Date
}

declare module '../db/schema.ts' {
  interface Database {
    short_link: ShortLinkTable
  }
}

export type ShortLinkRow = Selectable<ShortLinkTable>
