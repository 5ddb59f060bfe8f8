import type { AuditAction } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { installationSecret } from '../db/secret.ts'
import { GENESIS, hashOf, signAnchor } from './chain.ts'
import type { AuditEventRow } from './tables.ts'

type Db = Kysely<Database>

/** Who does something, from where, by what and when. */
export interface Origin {
  name: string | null
  address: string | null
  via: AuditEventRow['via']
  at: Date
}

export interface AuditLine {
  action: AuditAction
  subject?: string | null
  details?: Record<string, string>
}

/** The program itself, or whoever runs a command on its machine. */
export const byProgram = (via: 'command' | 'server' = 'server', at = new Date()): Origin => ({
  name: null,
  address: null,
  via,
  at,
})

const TEXT_MAX = 500
const cut = (text: string) => text.slice(0, TEXT_MAX)

/**
 * Appends a line to the chain. Inside a transaction it is kept or lost with what it tells of; it should be the last
 * statement there, since lines are written one at a time.
 */
export async function record(db: Db, by: Origin, line: AuditLine): Promise<void> {
  const append = async (trx: Db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('audit chain', 0))`.execute(trx)
    const last = await headOf(trx)
    const event = {
      n: last.n + 1,
      at: by.at,
      actor: by.name === null ? null : cut(by.name),
      address: by.address,
      via: by.via,
      action: line.action,
      subject: line.subject == null ? null : cut(line.subject),
      details: Object.fromEntries(Object.entries(line.details ?? {}).map(([key, text]) => [key, cut(text)])),
    }
    await trx
      .insertInto('audit_event')
      .values({ ...event, details: JSON.stringify(event.details) as never, hash: hashOf(last.hash, event) })
      .execute()
  }
  await (db.isTransaction ? append(db) : db.transaction().execute(append))
}

/** The newest line's number and hash; the anchor's when all lines were taken away. */
async function headOf(db: Db): Promise<{ n: number; hash: Buffer }> {
  const last = await db
    .selectFrom('audit_event')
    .select(['n', 'hash'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? (await newestAnchor(db)) ?? { n: 0, hash: GENESIS }
}

const newestAnchor = (db: Db) =>
  db.selectFrom('audit_anchor').selectAll().orderBy('n', 'desc').limit(1).executeTakeFirst()

export const SECRET = 'audit.secret'

/**
 * Takes away lines older than an instant and leaves a signed anchor where what is left begins. What goes is a whole
 * beginning of the chain, also where a clock was set back.
 * @returns how many lines went
 */
export async function pruneAudit(db: Db, before: Date, now: Date): Promise<number> {
  const secret = await installationSecret(db, SECRET)
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('audit chain', 0))`.execute(trx)
    const first = await trx
      .selectFrom('audit_event')
      .select('n')
      .where('at', '>=', before)
      .orderBy('n')
      .limit(1)
      .executeTakeFirst()
    const last = await trx
      .selectFrom('audit_event')
      .select(['n', 'hash'])
      .$if(first !== undefined, (q) => q.where('n', '<', first!.n))
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!last) return 0
    const old = await newestAnchor(trx)
    const { numDeletedRows } = await trx.deleteFrom('audit_event').where('n', '<=', last.n).executeTakeFirst()
    const gone = Number(numDeletedRows)
    const anchor = { n: last.n, hash: last.hash, removed: (old?.removed ?? 0) + gone, at: now }
    await trx.deleteFrom('audit_anchor').execute()
    await trx
      .insertInto('audit_anchor')
      .values({ ...anchor, signature: signAnchor(secret, anchor) })
      .execute()
    return gone
  })
}

/** What a walk over the whole chain found. */
export interface ChainState {
  sound: boolean
  /** Lines that are there, and lines that retention took away. */
  lines: number
  removed: number
  /** Newest line; null when there never was one. */
  head: { n: number; hash: string } | null
  /** The first line that does not fit; null when all do. */
  broken: { n: number; reason: 'anchor' | 'missing' | 'changed' | 'head' } | null
}

const PAGE = 5_000

/**
 * Computes every hash again.
 * @param expected a head noted earlier; it must still be part of the chain, which tells a cut end and a chain made anew
 */
export async function verifyAudit(db: Db, expected?: { n: number; hash: string }): Promise<ChainState> {
  const secret = await installationSecret(db, SECRET)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => walk(trx, secret, expected))
}

/** The walk itself, over what the transaction sees. */
export async function walk(
  db: Db,
  secret: Buffer,
  expected?: { n: number; hash: string },
): Promise<ChainState> {
  const anchor = await newestAnchor(db)
  let [n, hash] = [anchor?.n ?? 0, anchor?.hash ?? GENESIS]
  const state: ChainState = { sound: true, lines: 0, removed: anchor?.removed ?? 0, head: null, broken: null }
  const broken = (at: number, reason: NonNullable<ChainState['broken']>['reason']): ChainState => ({
    ...state,
    sound: false,
    broken: { n: at, reason },
  })
  if (anchor && !signAnchor(secret, anchor).equals(anchor.signature)) return broken(anchor.n, 'anchor')
  let met =
    expected === undefined || n > expected.n || (n === expected.n && hash.toString('hex') === expected.hash)
  for (;;) {
    const rows = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('n', '>', n)
      .orderBy('n')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      if (row.n !== n + 1) return broken(n + 1, 'missing')
      if (!hashOf(hash, row).equals(row.hash)) return broken(row.n, 'changed')
      n = row.n
      hash = row.hash
      state.lines++
      if (n === expected?.n) met = hash.toString('hex') === expected.hash
    }
    if (rows.length < PAGE) break
  }
  state.head = n === 0 ? null : { n, hash: hash.toString('hex') }
  return met ? state : broken(expected!.n, 'head')
}

export interface AuditFilter {
  since?: Date
  /** Only lines before this number: the next page. */
  before?: number
  actor?: string
  action?: string
  limit: number
}

/** Lines, the newest first. */
export function listAudit(
  db: Db,
  { since, before, actor, action, limit }: AuditFilter,
): Promise<AuditEventRow[]> {
  return db
    .selectFrom('audit_event')
    .selectAll()
    .$if(since !== undefined, (q) => q.where('at', '>=', since!))
    .$if(before !== undefined, (q) => q.where('n', '<', before!))
    .$if(actor !== undefined, (q) => q.where('actor', '=', actor!))
    .$if(action !== undefined, (q) => q.where('action', '=', action!))
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
}
