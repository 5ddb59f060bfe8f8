import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Kysely } from 'kysely'
import { type Origin, record } from '../../audit/api.ts'
import type { Database } from '../../db/schema.ts'
import { installationSecret } from '../../db/secret.ts'
import { accountById, endSessions, lockAccount } from '../queries.ts'
import type { AccountRow } from '../tables.ts'
import { challengeEnd, newChallenge } from './challenge.ts'
import { PasskeyRefused, TooManyPasskeys } from './errors.ts'
import { dropIdleCodes, factorsOf, hasFactor, newCodes, replaceCodes } from './factors.ts'
import type { PasskeyRow } from './tables.ts'

type Db = Kysely<Database>

/** Much code that few calls need. */
const webauthn = () => import('@simplewebauthn/server')

/** The site as browsers see it: a passkey is bound to its host. */
export interface SiteOrigin {
  /** Such as `https://radx.example.org`. */
  origin: string
  /** Its host without port. */
  host: string
}

export const PASSKEYS_MAX = 20
const SECRET = 'passkey.secret'
const ANYONE = 'login'

export const passkeysOf = (db: Db, accountId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkey').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute()

/** What the browser needs to make a passkey that asks for the finger, the face or the PIN. */
export async function registrationOptions(db: Db, account: AccountRow, site: SiteOrigin, nowMs: number) {
  const known = await passkeysOf(db, account.id)
  if (known.length >= PASSKEYS_MAX) throw new TooManyPasskeys(PASSKEYS_MAX)
  const challenge = newChallenge(await installationSecret(db, SECRET), account.id, nowMs)
  return (await webauthn()).generateRegistrationOptions({
    rpName: 'RadX',
    rpID: site.host,
    userName: account.name,
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Keeps a new passkey; other sessions end.
 * @returns recovery codes when it is the account's first factor, else none. @throws PasskeyRefused
 */
export async function addPasskey(
  db: Db,
  account: AccountRow,
  { response, name, sessionId }: { response: RegistrationResponseJSON; name: string; sessionId: string },
  site: SiteOrigin,
  by: Origin,
): Promise<string[]> {
  const used = usedChallenge(db, account.id, by.at.getTime())
  const { verifyRegistrationResponse } = await webauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: used.check,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }).catch(() => {
    throw new PasskeyRefused()
  })
  if (!verified) throw new PasskeyRefused()
  const { credential } = registrationInfo
  const made = hasFactor(await factorsOf(db, account.id)) ? null : await newCodes(account.id)
  await db.transaction().execute(async (trx) => {
    await used.spend(trx)
    await lockAccount(trx, account.id)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('passkey')
      .values({
        id: credential.id,
        account_id: account.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name,
        created_at: by.at,
        last_used_at: null,
      })
      .onConflict((c) => c.column('id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) throw new PasskeyRefused()
    if (made) await replaceCodes(trx, account.id, made.rows)
    await endSessions(trx, account.id, { except: sessionId })
    await record(trx, by, { action: 'factor.add', subject: account.name, details: { kind: 'passkey', name } })
  })
  return made?.codes ?? []
}

/** What the browser needs to sign in with any passkey that it has for this site. */
export async function loginOptions(db: Db, site: SiteOrigin, nowMs: number) {
  const challenge = newChallenge(await installationSecret(db, SECRET), ANYONE, nowMs)
  return (await webauthn()).generateAuthenticationOptions({
    rpID: site.host,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  })
}

/** The account that a passkey signed for. It is both factors: the device and the finger, the face or the PIN. @throws PasskeyRefused */
export async function passkeyAccount(
  db: Db,
  response: AuthenticationResponseJSON,
  site: SiteOrigin,
  nowMs: number,
): Promise<AccountRow> {
  const key = await db.selectFrom('passkey').selectAll().where('id', '=', response.id).executeTakeFirst()
  if (!key) throw new PasskeyRefused()
  const used = usedChallenge(db, ANYONE, nowMs)
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: used.check,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: key.counter },
    requireUserVerification: true,
  }).catch(() => {
    throw new PasskeyRefused()
  })
  if (!verified) throw new PasskeyRefused()
  await db.transaction().execute(async (trx) => {
    await used.spend(trx)
    const { numUpdatedRows } = await trx
      .updateTable('passkey')
      .set({ counter: authenticationInfo.newCounter, last_used_at: new Date(nowMs) })
      .where('id', '=', key.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new PasskeyRefused()
  })
  return accountById(db, key.account_id)
}

/** Takes one of an account's passkeys away; an unknown one is no error. */
export async function removePasskey(db: Db, account: AccountRow, id: string, by: Origin): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom('passkey')
      .where('account_id', '=', account.id)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!gone) return
    await dropIdleCodes(trx, account.id)
    const details = { kind: 'passkey', name: gone.name }
    await record(trx, by, { action: 'factor.remove', subject: account.name, details })
  })
}

/** Looks at the challenge of an answer, and lets it be used once. */
function usedChallenge(db: Db, purpose: string, nowMs: number) {
  let seen: { challenge: string; endMs: number } | null = null
  return {
    async check(challenge: string): Promise<boolean> {
      const secret = await installationSecret(db, SECRET)
      const endMs = challengeEnd(secret, purpose, Buffer.from(challenge, 'base64url'), nowMs)
      if (endMs !== null) seen = { challenge, endMs }
      return endMs !== null
    },
    async spend(trx: Db): Promise<void> {
      if (seen === null) throw new PasskeyRefused()
      await trx.deleteFrom('passkey_challenge').where('expires_at', '<=', new Date(nowMs)).execute()
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('passkey_challenge')
        .values({ challenge: seen.challenge, expires_at: new Date(seen.endMs) })
        .onConflict((c) => c.column('challenge').doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) throw new PasskeyRefused()
    },
  }
}
