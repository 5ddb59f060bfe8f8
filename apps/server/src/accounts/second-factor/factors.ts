import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type Origin, record } from '../../audit/api.ts'
import type { Database } from '../../db/schema.ts'
import { hashPassword, verifyPassword } from '../passwords.ts'
import { deleteSessionsOf, editedAccount, endSessions, lockAccount } from '../queries.ts'
import { holdAccount } from '../service.ts'
import type { AccountRow } from '../tables.ts'
import { FactorStands, type Moment, NoFactor, WrongCode } from './errors.ts'
import './tables.ts'
import type { Seeds } from './seeds.ts'
import { clockError, goodStep, totpAddress } from './totp.ts'

type Db = Kysely<Database>

/** What stands in the way of a password alone. */
export interface Factors {
  totp: boolean
  passkeys: number
  recoveryCodes: number
}

export async function factorsOf(db: Db, accountId: string): Promise<Factors> {
  const [totp, passkeys, codes] = await Promise.all([
    db.selectFrom('totp').select('confirmed_at').where('account_id', '=', accountId).executeTakeFirst(),
    db.selectFrom('passkey').select('id').where('account_id', '=', accountId).execute(),
    db
      .selectFrom('recovery_code')
      .select('number')
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .execute(),
  ])
  return { totp: totp?.confirmed_at != null, passkeys: passkeys.length, recoveryCodes: codes.length }
}

export const hasFactor = ({ totp, passkeys }: Factors) => totp || passkeys > 0

/** What a login may show beside the password. */
export const methodsOf = ({ totp, passkeys }: Factors): string[] => [
  ...(totp ? ['totp'] : []),
  ...(passkeys > 0 ? ['passkey'] : []),
  'recovery',
]

/** Begins the enrolment of an application of one-time codes; nothing is asked for before `confirmTotp`. @throws FactorStands */
export async function beginTotp(
  db: Db,
  seeds: Seeds,
  account: AccountRow,
): Promise<{ address: string; secret: string }> {
  const seed = randomBytes(20)
  const secret = await seeds.seal(seed, account.id)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('totp')
    .values({ account_id: account.id, secret, confirmed_at: null, last_step: 0 })
    .onConflict((c) =>
      c.column('account_id').doUpdateSet({ secret, last_step: 0 }).where('totp.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new FactorStands()
  return totpAddress(seed, account.name)
}

/** Ends the enrolment with a first code; other sessions end. @returns new recovery codes. @throws WrongCode, NoFactor */
export async function confirmTotp(
  db: Db,
  seeds: Seeds,
  account: AccountRow,
  sessionId: string,
  code: string,
  by: Origin,
  timeZone: string,
): Promise<string[]> {
  const row = await db.selectFrom('totp').selectAll().where('account_id', '=', account.id).executeTakeFirst()
  if (!row) throw new NoFactor()
  if (row.confirmed_at !== null) throw new FactorStands()
  const nowMs = by.at.getTime()
  const seed = await seeds.open(row.secret, account.id)
  const step = goodStep(seed, code, nowMs)
  if (step === null) throw new WrongCode({ ms: nowMs, timeZone }, clockError(seed, code, nowMs, true))
  const { codes, rows } = await newCodes(account.id)
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, account.id)
    // Of two at once one is kept; so is no secret that another form began meanwhile.
    const { numUpdatedRows } = await trx
      .updateTable('totp')
      .set({ confirmed_at: by.at, last_step: step })
      .where('account_id', '=', account.id)
      .where('secret', '=', row.secret)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new FactorStands()
    await replaceCodes(trx, account.id, rows)
    await endSessions(trx, account.id, { except: sessionId })
    await record(trx, by, { action: 'factor.add', subject: account.name, details: { kind: 'totp' } })
  })
  return codes
}

/** Makes recovery codes anew; the old ones are worth nothing. */
export async function renewCodes(db: Db, account: AccountRow, by: Origin): Promise<string[]> {
  if (!hasFactor(await factorsOf(db, account.id))) throw new NoFactor()
  const { codes, rows } = await newCodes(account.id)
  await db.transaction().execute(async (trx) => {
    await replaceCodes(trx, account.id, rows)
    await record(trx, by, { action: 'factor.codes', subject: account.name })
  })
  return codes
}

/**
 * Takes a one-time code or a recovery code; none is taken twice, also not by two logins at once.
 * @returns which of them it was. @throws WrongCode
 */
export async function spendCode(
  db: Db,
  seeds: Seeds,
  accountId: string,
  typed: string,
  now: Moment,
): Promise<'totp' | 'recovery'> {
  const { ms: nowMs } = now
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(code)) {
    const row = await db
      .selectFrom('totp')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    const seed = row && (await seeds.open(row.secret, accountId))
    const step = seed ? goodStep(seed, code, nowMs) : null
    if (step === null) throw new WrongCode(now, seed ? clockError(seed, code, nowMs, false) : null)
    const { numUpdatedRows } = await db
      .updateTable('totp')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where('last_step', '<', step)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new WrongCode(now, null)
    return 'totp'
  }
  const number = /^\d[A-Z2-7]{12}$/.test(code) ? Number(code[0]) : null
  const row =
    number === null
      ? undefined
      : await db
          .selectFrom('recovery_code')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('number', '=', number)
          .where('used_at', 'is', null)
          .executeTakeFirst()
  if (!row || !(await verifyPassword(row.hash, code))) throw new WrongCode(now, null)
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: new Date(nowMs) })
    .where('account_id', '=', accountId)
    .where('hash', '=', row.hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WrongCode(now, null)
  return 'recovery'
}

/** Takes every second factor of an account away and ends its sessions: for somebody who lost his, by a manager or a command. */
export async function removeFactors(db: Db, account: AccountRow, by: Origin): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by, { ofOthers: true })
    for (const table of ['totp', 'recovery_code', 'passkey'] as const)
      await trx.deleteFrom(table).where('account_id', '=', account.id).execute()
    await editedAccount(trx, account.id, {})
    await deleteSessionsOf(trx, account.id)
    await record(trx, by, { action: 'factor.remove', subject: account.name, details: { kind: 'all' } })
  })
}

/** Takes one's own application of one-time codes away; without a passkey the recovery codes go as well. */
export async function removeTotp(db: Db, account: AccountRow, by: Origin): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('totp').where('account_id', '=', account.id).execute()
    await dropIdleCodes(trx, account.id)
    await record(trx, by, { action: 'factor.remove', subject: account.name, details: { kind: 'totp' } })
  })
}

/** Recovery codes stand for a factor: without one they open nothing and go. */
export async function dropIdleCodes(trx: Db, accountId: string): Promise<void> {
  if (!hasFactor(await factorsOf(trx, accountId)))
    await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Ten codes of 60 random bits, and their rows; hashed like passwords (ASVS 6.5.2). */
export async function newCodes(accountId: string) {
  const codes = Array.from({ length: 10 }, (_, number) => {
    const letters = Array.from(randomBytes(12), (byte) => ALPHABET[byte % 32]).join('')
    return `${number}${letters}`
  })
  const rows = await Promise.all(
    codes.map(async (code, number) => ({ account_id: accountId, number, hash: await hashPassword(code) })),
  )
  return { codes: codes.map((code) => `${code[0]}-${code.slice(1).replace(/(.{4})(?=.)/g, '$1-')}`), rows }
}

export async function replaceCodes(
  trx: Db,
  accountId: string,
  rows: { account_id: string; number: number; hash: string }[],
): Promise<void> {
  await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await trx
    .insertInto('recovery_code')
    .values(rows.map((row) => ({ ...row, used_at: null })))
    .execute()
}
