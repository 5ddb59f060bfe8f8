import { createHash, createHmac } from 'node:crypto'
import type { AuditAnchorRow, AuditEventRow } from './tables.ts'

/** What stands before the first line that ever was. */
export const GENESIS = Buffer.alloc(32)

/** SHA-256 of the hash before and of the line, written in one way only. */
export function hashOf(before: Buffer, line: Omit<AuditEventRow, 'hash'>): Buffer {
  const details = Object.entries(line.details).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([
    line.n,
    line.at.toISOString(),
    line.actor,
    line.address,
    line.via,
    line.action,
    line.subject,
    details,
  ])
  return createHash('sha256').update(before).update(text).digest()
}

/** HMAC-SHA-256 of an anchor under the installation's secret. */
export function signAnchor(secret: Buffer, anchor: Omit<AuditAnchorRow, 'signature'>): Buffer {
  const text = JSON.stringify([
    anchor.n,
    anchor.hash.toString('hex'),
    anchor.removed,
    anchor.at.toISOString(),
  ])
  return createHmac('sha256', secret).update(text).digest()
}
