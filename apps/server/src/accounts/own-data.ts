import type { OwnData } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import { type Origin, record } from '../audit/api.ts'
import type { Database } from '../db/schema.ts'
import { keptBytes } from '../http/quota.ts'
import { NoSuchManager, WorkUnderWay } from './errors.ts'
import { managerNames, shapefilesOf } from './queries.ts'
import { holdAccount } from './service.ts'
import type { AccountRow } from './tables.ts'
import { deviceLabel } from './user-agent.ts'

type Db = Kysely<Database>

/** How many things of each kind are kept of an account, and who could take its runs over. */
export async function ownDataOf(db: Db, { id, name }: AccountRow): Promise<OwnData> {
  const { rows } = await sql<Omit<OwnData, 'managers'>>`
    select (select count(*)::int from job where username = ${name} and kind in ('multihydro', 'network')) as runs,
      (select count(*)::int from job where username = ${name} and kind not in ('multihydro', 'network')) as exports,
      ${keptBytes(name)} as bytes,
      (select count(*)::int from saved_event where username = ${name}) as events,
      (select count(*)::int from luse_file where username = ${name} and not is_reference) as "landUses",
      (select count(*)::int from montana_table where username = ${name}) as tables,
      (select count(*)::int from gauge_own where username = ${name}) as gauges,
      (select count(*)::int from network where username = ${name}) as networks,
      (select count(*)::int from catchment where username = ${name} and deleted_at is null) as catchments,
      (select count(*)::int from builder_draft where username = ${name}) as drafts,
      (select count(*)::int from session where account_id = ${id}) as sessions,
      (select count(*)::int from audit_event where (actor = ${name} or subject = ${name})
        and n > ${await lastErased(db, name)}) as "auditLines"`.execute(db)
  return { ...rows[0], managers: await managerNames(db, id) }
}

/**
 * All that is kept of an account, for its holder. Rain that was computed from the radar stays out: it is no datum of
 * the person's, and the account's dates may have changed since.
 */
export async function exportOwnData(db: Db, account: AccountRow): Promise<Record<string, unknown>> {
  const { name, id } = account
  const [
    sessions,
    jobs,
    events,
    landUses,
    networks,
    catchments,
    tables,
    gauges,
    flags,
    tokens,
    links,
    layers,
    factors,
    trail,
  ] = await Promise.all([
    db.selectFrom('session').selectAll().where('account_id', '=', id).orderBy('created_at').execute(),
    jobsOf(db, name),
    eventsOf(db, name),
    landUsesOf(db, name),
    networksOf(db, name),
    catchmentsOf(db, name),
    tablesOf(db, name),
    db
      .selectFrom('gauge_own')
      .select(['id', 'name', 'lat', 'lng', 'measure', 'readings', 'created_at'])
      .where('username', '=', name)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('gauge_flag')
      .select(['gauge', 'start_at', 'end_at', 'kind', 'reason', 'set_at', 'removed_at'])
      .where((e) => e.or([e('author', '=', name), e('removed_by', '=', name)]))
      .orderBy('set_at')
      .execute(),
    tokensKept(db, id),
    linksKept(db, id),
    shapefilesOf(db, id),
    keptFactors(db, id),
    trailOf(db, name),
  ])
  return {
    account: {
      name,
      roles: account.roles,
      restriction: { start: account.restriction_start, end: account.restriction_end },
      csv: account.csv,
      avatar: account.avatar,
      createdAt: account.created_at,
      layers: layers.map((layer) => layer.name),
    },
    secondFactor: factors,
    sessions: sessions.map(({ token_hash: _, account_id: __, user_agent, ...session }) => ({
      ...session,
      device: deviceLabel(user_agent),
    })),
    jobs,
    events,
    landUses,
    networks,
    catchments,
    drafts: await draftsOf(db, name),
    rains: await rainsOf(db, name),
    ...(await calibrationOf(db, name)),
    montanaTables: tables,
    gauges,
    gaugeFlags: flags,
    accessTokens: tokens,
    shortLinks: links,
    ...(await alertsOf(db, name)),
    auditTrail: trail,
  }
}

/** Runs and exports, with the notes that were taken of runs. */
const jobsOf = (db: Db, name: string) =>
  db
    .selectFrom('job')
    .leftJoin('simulation_note', 'simulation_note.job_id', 'job.id')
    .select(['id', 'kind', 'status', 'created_at', 'finished_at', 'output_bytes', 'simulation_note.comment'])
    .select(sql<string | null>`input ->> 'title'`.as('title'))
    .where('username', '=', name)
    .orderBy('created_at')
    .execute()

const linksKept = (db: Db, accountId: string) =>
  db
    .selectFrom('short_link')
    .select(['name', 'path', 'created_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()

/** Saved events. */
const eventsOf = (db: Db, name: string) =>
  db
    .selectFrom('saved_event')
    .select(['id', 'title', 'product', 'period_start', 'period_end', 'catchment', 'subcatchment', 'comment'])
    .select('created_at')
    .where('username', '=', name)
    .orderBy('created_at')
    .execute()

/** Land uses that forms made. */
const landUsesOf = (db: Db, name: string) =>
  db
    .selectFrom('luse_file')
    .select(['id', 'catchment_id', 'description', 'created_at'])
    .where('username', '=', name)
    .where('is_reference', '=', false)
    .orderBy('created_at')
    .execute()

/** Networks and the files that their versions came in. */
const networksOf = async (db: Db, name: string) =>
  db
    .selectFrom('network')
    .innerJoin('network_version', 'network_version.network_id', 'network.id')
    .select(['network.id', 'network.name', 'network_version.version', 'network_version.files'])
    .select('network_version.created_at')
    .where('network.username', '=', name)
    .orderBy('network_version.created_at')
    .execute()

/** Rains of radar pictures that the account brought; the pictures themselves are the account's own files. */
const rainsOf = (db: Db, name: string) =>
  db
    .selectFrom('own_rain')
    .select(['id', 'catchment_id', 'name', 'about', 'created_at'])
    .where('username', '=', name)
    .orderBy('created_at')
    .execute()

/** Catchments with their versions, and with whom they are shared; and those of others that are shared with the account. */
async function catchmentsOf(db: Db, name: string) {
  const { rows } = await sql`
    select c.id, c.name, c.username as owner, c.sharing, c.created_at,
      case when c.username = ${name} then
        array(select s.username from catchment_share s where s.catchment_id = c.id order by 1) end as shared_with,
      case when c.username = ${name} then (
        select jsonb_agg(jsonb_build_object('version', left(v.hash, 16), 'created_at', v.imported_at, 'bytes', v.bytes)
          order by v.imported_at) from catchment_version v where v.catchment_id = c.id) end as versions
    from catchment c where c.deleted_at is null and (c.username = ${name}
      or exists (select from catchment_share s where s.catchment_id = c.id and s.username = ${name}))
    order by c.created_at`.execute(db)
  return rows
}
/** Catchments on their way, with the files that they stand on. */
const draftsOf = async (db: Db, name: string) =>
  (
    await sql`select d.id, d.name, d.recipe, d.created_at, d.updated_at,
        (select coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'bytes', f.bytes) order by f.name), '[]'::jsonb)
          from builder_file f where f.draft_id = d.id) as files
      from builder_draft d where d.username = ${name} order by d.created_at`.execute(db)
  ).rows

/** Series of measurements with what was measured, and fits with what they found. */
async function calibrationOf(db: Db, name: string) {
  const observations =
    await sql`select id, catchment_id, name, file_name, place, quantity, unit, time_zone, first_at, last_at,
      count, missing, encode(data, 'base64') as data, created_at
    from observation where username = ${name} order by created_at`.execute(db)
  const calibrations =
    await sql`select id, catchment_id, name, config - 'events' as config, fitted, result, created_at
    from calibration where username = ${name} order by created_at`.execute(db)
  return { observations: observations.rows, calibrations: calibrations.rows }
}

const tablesOf = (db: Db, name: string) =>
  sql`select id, name, note, laws, created_at from montana_table where username = ${name} order by created_at`
    .execute(db)
    .then(({ rows }) => rows)

/** Rules of alerts, and what came of them without the values, which are of the radar. */
async function alertsOf(db: Db, name: string) {
  const [alertRules, alerts] = await Promise.all([
    db
      .selectFrom('alert_rule')
      .select(['id', 'name', 'measure', 'threshold', 'clear', 'min_minutes', 'severity'])
      .select(['escalate_min', 'enabled', 'created_at'])
      .where('username', '=', name)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('alert_log')
      .select(['alert_id', 'at', 'what'])
      .where('username', '=', name)
      .orderBy('id')
      .execute(),
  ])
  const [person, devices] = await Promise.all([
    db
      .selectFrom('alert_person')
      .select(['email', 'email_confirmed_at', 'quiet'])
      .where('username', '=', name)
      .executeTakeFirst(),
    db.selectFrom('alert_push').select(['label', 'created_at']).where('username', '=', name).execute(),
  ])
  return { alertRules, alertLog: alerts, alertRecipient: person ?? null, alertDevices: devices }
}

/** Access tokens without what would open anything. */
const tokensKept = (db: Db, accountId: string) =>
  db
    .selectFrom('access_token')
    .select(['id', 'name', 'scopes', 'restriction_start', 'restriction_end'])
    .select(['created_at', 'expires_at', 'last_used_at', 'address'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()

/** Second factors without what would open a session: when they were put in place and last used. */
async function keptFactors(db: Db, accountId: string): Promise<Record<string, unknown>> {
  const [totp, passkeys, codes] = await Promise.all([
    db.selectFrom('totp').select('confirmed_at').where('account_id', '=', accountId).executeTakeFirst(),
    db
      .selectFrom('passkey')
      .select(['name', 'transports', 'created_at', 'last_used_at'])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('recovery_code')
      .select(['number', 'used_at'])
      .where('account_id', '=', accountId)
      .orderBy('number')
      .execute(),
  ])
  return { totpConfirmedAt: totp?.confirmed_at ?? null, passkeys, recoveryCodes: codes }
}

/** Lines that name an account, without those of somebody who had the name before. */
const trailOf = async (db: Db, name: string) =>
  db
    .selectFrom('audit_event')
    .select(['n', 'at', 'actor', 'address', 'via', 'action', 'subject', 'details'])
    .where((e) => e.or([e('actor', '=', name), e('subject', '=', name)]))
    .where('n', '>', await lastErased(db, name))
    .orderBy('n')
    .execute()

/** The line of the trail up to which a name was somebody else's, whose account was erased; 0 for none. */
async function lastErased(db: Db, name: string): Promise<number> {
  const line = await db
    .selectFrom('audit_event')
    .select('n')
    .where('action', '=', 'account.erase')
    .where('subject', '=', name)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return line?.n ?? 0
}

/** What becomes of somebody's runs and of the land uses that they stand on. */
export type RunsAfter = { runs: 'delete' } | { runs: 'hand'; to: string }

/** What is written where a name stood that signed something others still see. */
const ERASED = '(compte effacé)'

/**
 * Erases an account and what is kept of it. The audit trail keeps its lines until their retention ends.
 * @param remove deletes an ended job with its files, and the files of a network and of a draft
 * @throws WorkUnderWay, NoSuchManager, LastManager
 */
export async function eraseAccount(
  db: Db,
  account: AccountRow,
  after: RunsAfter,
  by: Origin,
  remove: {
    job(id: string): Promise<void>
    network(id: string): Promise<void>
    draft(id: string): Promise<void>
  },
): Promise<void> {
  const { id, name } = account
  const to = after.runs === 'hand' ? after.to : null
  if (to !== null && !(await managerNames(db, id)).includes(to)) throw new NoSuchManager(to)
  const jobs = await db
    .selectFrom('job')
    .select(['id', 'kind', 'status'])
    .where('username', '=', name)
    .execute()
  if (jobs.some(({ status }) => status === 'pending' || status === 'running')) throw new WorkUnderWay()
  // Before anything goes: what is refused leaves everything as it was.
  await db.transaction().execute((trx) => holdAccount(trx, account, by, { endsManager: true }))
  const handed = ['multihydro', 'network']
  for (const job of jobs) if (to === null || !handed.includes(job.kind)) await remove.job(job.id)
  const networks = await db.selectFrom('network').select('id').where('username', '=', name).execute()
  const drafts = await sql<{ id: string }>`select id from builder_draft where username = ${name}`.execute(db)
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by, { endsManager: true })
    const open = await trx
      .selectFrom('job')
      .select('id')
      .where('username', '=', name)
      .where('status', 'in', ['pending', 'running'])
      .executeTakeFirst()
    if (open) throw new WorkUnderWay()
    if (to === null) {
      await trx.deleteFrom('luse_file').where('username', '=', name).execute()
      await trx.deleteFrom('own_rain').where('username', '=', name).execute()
      await trx.deleteFrom('network').where('username', '=', name).execute()
      // What runs of others stand on stays with these; the rest goes with the next sweep.
      const gone = { username: ERASED, deleted_at: by.at }
      await trx.updateTable('catchment').set(gone).where('username', '=', name).execute()
    } else {
      // The keys were of forms of somebody who submits nothing any more.
      const given = { username: to, submission_key: null, submission_hash: null }
      await trx.updateTable('job').set(given).where('username', '=', name).execute()
      await trx.updateTable('luse_file').set({ username: to }).where('username', '=', name).execute()
      await trx.updateTable('own_rain').set({ username: to }).where('username', '=', name).execute()
      await trx.updateTable('network').set({ username: to }).where('username', '=', name).execute()
      await trx.updateTable('catchment').set({ username: to }).where('username', '=', name).execute()
    }
    await sql`delete from gauge_day where gauge in (select id::text from gauge_own where username = ${name})`.execute(
      trx,
    )
    for (const table of [
      'catchment_share',
      'gauge_own',
      'saved_event',
      'alert_rule',
      'alert_person',
      'alert_push',
    ] as const)
      await trx.deleteFrom(table).where('username', '=', name).execute()
    await sql`delete from montana_table where username = ${name}`.execute(trx)
    await sql`delete from builder_draft where username = ${name}`.execute(trx)
    await sql`delete from observation where username = ${name}`.execute(trx)
    await sql`delete from calibration where username = ${name}`.execute(trx)
    await sql`update alert_webhook set username = ${ERASED} where username = ${name}`.execute(trx)
    await sql`update gauge_flag set author = ${ERASED} where author = ${name}`.execute(trx)
    await sql`update gauge_flag set removed_by = ${ERASED} where removed_by = ${name}`.execute(trx)
    await sql`update article set updated_by = ${ERASED} where updated_by = ${name}`.execute(trx)
    await trx.deleteFrom('account').where('id', '=', id).execute()
    const details: Record<string, string> = to === null ? { runs: 'deleted' } : { runs: 'handed', to }
    await record(trx, by, { action: 'account.erase', subject: name, details })
  })
  if (to === null) for (const { id: network } of networks) await remove.network(network)
  for (const { id: draft } of drafts.rows) await remove.draft(draft)
}
