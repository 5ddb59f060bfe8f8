import type { Selectable } from 'kysely'

interface AuditEventTable {
  n: number
  at: Date
  /** Name of the account; null for nobody signed in and for the program itself. */
  actor: string | null
  address: string | null
  via: 'page' | 'command' | 'server'
  action: string
  /** What it was done to, as a person would name it. */
  subject: string | null
  details: Record<string, string>
  hash: Buffer
}

interface AuditAnchorTable {
  n: number
  hash: Buffer
  removed: number
  at: Date
  signature: Buffer
}

declare module '../db/schema.ts' {
  interface Database {
    audit_event: AuditEventTable
    audit_anchor: AuditAnchorTable
  }
}

export type AuditEventRow = Selectable<AuditEventTable>
export type AuditAnchorRow = Selectable<AuditAnchorTable>
