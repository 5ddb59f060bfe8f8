import { type LoginAnswer, type LoginBody, RadxError } from '@radx/contracts'
import type { Kysely } from 'kysely'
import { byProgram, record } from '../audit/api.ts'
import type { Clock } from '../clock.ts'
import type { AccountRules } from '../config/account-rules.ts'
import type { Database } from '../db/schema.ts'
import { installationSecret } from '../db/secret.ts'
import { networkOf } from '../http/address.ts'
import { Gate } from '../http/gate.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import type { Logger } from '../log.ts'
import { DEVICE_SECRET, deviceKey, isDeviceOf, newDevice } from './devices.ts'
import { AccountDisabled, TooManyLogins, WrongCredentials } from './errors.ts'
import { nameKey } from './names.ts'
import { hashPassword, needsRehash, verifyPassword, verifyUnknown } from './passwords.ts'
import { accountByKey, shapefilesOf, updateAccount } from './queries.ts'
import { rolesInForce } from './roles.ts'
import { FactorNeeded } from './second-factor/errors.ts'
import { factorsOf, hasFactor, methodsOf, spendCode } from './second-factor/factors.ts'
import type { Seeds } from './second-factor/seeds.ts'
import type { AccountSessions, SessionOrigin } from './sessions.ts'
import type { AccountRow } from './tables.ts'
import {
  ADDRESS_BUDGET,
  accountKey,
  addressKey,
  type Budget,
  CODE_BUDGET,
  forget,
  giveBack,
  PAIR_BUDGET,
  pairKey,
  STRANGERS_BUDGET,
  take,
} from './throttle.ts'
import { deviceLabel } from './user-agent.ts'

const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 256
/** A browser that signed in before goes ahead of everyone. */
const KNOWN_DEVICE = -1
/** What a network may ask before the database is; its budget there is smaller. */
const CALLS_A_NETWORK = { burst: 80, perSecond: 4 }
/** Remembers who failed lately: each failure puts a network further back, for half a minute. */
const FAILURES_A_NETWORK = { burst: 100, perSecond: 1 / 30 }

/** How somebody signed in who has no second factor, for the audit trail. */
const PASSWORD_ALONE = 'password'

export interface LoginDeps {
  db: Kysely<Database>
  clock: Clock
  sessions: AccountSessions
  log: Logger
  rules: AccountRules
  seeds: Seeds
  /** Of the site, for times that a person reads. */
  timeZone: string
}

/** Failures that leave a line in the audit trail: a flood of them is counted instead. */
const FAILURES_TOLD = { burst: 60, perSecond: 1 }

/** Signs people in. One for the process: it bounds how many passwords are checked at once. */
export class Login {
  private readonly deps: LoginDeps
  private readonly gate = new Gate(CHECKS_AT_ONCE, CHECKS_WAITING, {
    code: 'accounts.busy',
    message: 'Trop de connexions en cours. Réessayer dans quelques secondes.',
  })
  private readonly calls = new TokenBuckets(CALLS_A_NETWORK)
  private readonly failures = new TokenBuckets(FAILURES_A_NETWORK)
  private readonly told = new TokenBuckets(FAILURES_TOLD)
  private untold = 0
  private secret: Promise<Buffer> | null = null

  constructor(deps: LoginDeps) {
    this.deps = deps
  }

  /**
   * Tries count before the password is looked at, and a success gives them back, so that only failures wear a budget
   * out. Nobody can wear out somebody else's: a browser that signed in to the account before has its own budget, an
   * address has one a name, and what strangers share on an account is wide.
   *
   * @throws TooManyLogins, WrongCredentials, AccountDisabled
   */
  run(body: LoginBody, from: SessionOrigin): Promise<LoginAnswer> {
    return this.noted(from, (seen) => this.tried(body, from, seen))
  }

  /** A login by whatever means, whose failure leaves its line. */
  async noted(
    from: SessionOrigin,
    login: (seen: { account?: AccountRow }) => Promise<LoginAnswer>,
  ): Promise<LoginAnswer> {
    const seen: { account?: AccountRow } = {}
    try {
      return await login(seen)
    } catch (error) {
      await this.noteFailure(error, seen.account, from)
      throw error
    }
  }

  private async tried(
    body: LoginBody,
    from: SessionOrigin,
    seen: { account?: AccountRow },
  ): Promise<LoginAnswer> {
    const { db, clock } = this.deps
    const { username, password, device } = body
    const { address } = from
    const network = networkOf(address)
    this.holdCalls(address, device)
    const key = nameKey(username)
    const account = key === null ? undefined : await accountByKey(db, key)
    seen.account = account
    const known = account !== undefined && isDeviceOf(await this.openSecret(), account, device)
    const budgets: [string, Budget][] = known
      ? [[deviceKey(device as string), PAIR_BUDGET]]
      : [
          [addressKey(address), ADDRESS_BUDGET],
          [pairKey(username, address), PAIR_BUDGET],
          [accountKey(username), STRANGERS_BUDGET],
        ]
    for (const [budgetKey, budget] of budgets) {
      const waitMs = await take(db, budgetKey, budget, clock.now())
      if (waitMs > 0) throw new TooManyLogins(waitMs)
    }

    const right = await this.gate.run(
      () => (account ? verifyPassword(account.password_hash, password) : verifyUnknown(password)),
      known ? KNOWN_DEVICE : this.failures.spent(network, clock.now()),
    )
    if (!account || !right) {
      this.failures.take(network, clock.now())
      throw new WrongCredentials()
    }
    if (account.disabled_at) throw new AccountDisabled()
    await Promise.all(
      budgets.map(([budgetKey, budget]) =>
        budget === PAIR_BUDGET ? forget(db, budgetKey) : giveBack(db, budgetKey, budget),
      ),
    )
    const second = await this.holdFactor(account, body.code)
    const means = second === null ? PASSWORD_ALONE : `password, ${second}`
    return this.open(await this.rehashed(account, password), known ? device : undefined, from, means)
  }

  /** What a network may ask before the database is. @throws TooManyLogins */
  holdCalls(address: string, device?: string): void {
    const nowMs = this.deps.clock.now()
    // Who shows a device, true or forged, is counted apart from the crowd at the same address.
    const caller = `${networkOf(address)}${device === undefined ? '' : ' device'}`
    if (!this.calls.take(caller, nowMs)) throw new TooManyLogins(1000 * this.calls.waitSeconds(caller, nowMs))
  }

  /** @throws FactorNeeded, WrongCode, TooManyLogins */
  private async holdFactor(
    { id }: AccountRow,
    code: string | undefined,
  ): Promise<'totp' | 'recovery' | null> {
    const { db, clock, seeds, timeZone } = this.deps
    const factors = await factorsOf(db, id)
    if (!hasFactor(factors)) return null
    if (code === undefined || code.trim() === '') throw new FactorNeeded(methodsOf(factors))
    const waitMs = await take(db, `code:${id}`, CODE_BUDGET, clock.now())
    if (waitMs > 0) throw new TooManyLogins(waitMs)
    const kind = await spendCode(db, seeds, id, code, { ms: clock.now(), timeZone })
    await forget(db, `code:${id}`)
    return kind
  }

  private async rehashed(account: AccountRow, password: string): Promise<AccountRow> {
    if (!needsRehash(account.password_hash)) return account
    const password_hash = await hashPassword(password)
    await updateAccount(this.deps.db, account.id, { password_hash })
    return { ...account, password_hash }
  }

  /**
   * Opens a session of somebody who has shown who he is.
   * @param device what the browser showed; another is made where it showed none
   * @param means how it was shown, for the audit trail
   */
  async open(
    account: AccountRow,
    device: string | undefined,
    from: SessionOrigin,
    means: string,
  ): Promise<LoginAnswer> {
    const { db, sessions, rules } = this.deps
    const opened = await sessions.open(account, from, means !== PASSWORD_ALONE)
    const [shapefiles, secret, factors] = await Promise.all([
      shapefilesOf(db, account.id),
      this.openSecret(),
      factorsOf(db, account.id),
    ])
    await this.noteSuccess(account, from, means)
    return {
      name: account.name,
      ...opened,
      device:
        device !== undefined && isDeviceOf(secret, account, device) ? device : newDevice(secret, account),
      roles: rolesInForce(account, hasFactor(factors), rules),
      avatar: account.avatar,
      restriction: {
        start: account.restriction_start?.toISOString() ?? null,
        end: account.restriction_end?.toISOString() ?? null,
      },
      shapefiles,
      csv: account.csv,
    }
  }

  private async noteSuccess(
    { name }: AccountRow,
    { address, userAgent }: SessionOrigin,
    means: string,
  ): Promise<void> {
    const { db, clock, log } = this.deps
    const by = { name, address: networkOf(address), via: 'page' as const, at: new Date(clock.now()) }
    await record(db, by, {
      action: 'login',
      subject: name,
      details: { device: deviceLabel(userAgent ?? null), means },
    })
    log.info({ account: name, address: by.address }, 'Connexion')
  }

  /** A name that nobody has is not written: it may be a password in the wrong field. */
  private async noteFailure(
    error: unknown,
    account: AccountRow | undefined,
    { address }: SessionOrigin,
  ): Promise<void> {
    if (!(error instanceof RadxError) || error instanceof FactorNeeded || error.status >= 500) return
    const { db, clock, log } = this.deps
    const network = networkOf(address)
    log.warn({ account: account?.name ?? null, address: network, reason: error.code }, 'Connexion refusée')
    if (!this.told.take('failures', clock.now())) {
      this.untold++
      return
    }
    const details = { reason: error.code, ...(this.untold > 0 ? { untold: String(this.untold) } : {}) }
    this.untold = 0
    const by = { ...byProgram('server', new Date(clock.now())), address: network, via: 'page' as const }
    const action = error.status === 429 ? 'login.refused' : 'login.failed'
    await record(db, by, { action, subject: account?.name ?? null, details }).catch((failure) =>
      log.error({ err: failure }, 'Connexion refusée : journal non écrit'),
    )
  }

  private openSecret(): Promise<Buffer> {
    this.secret ??= installationSecret(this.deps.db, DEVICE_SECRET).catch((error) => {
      this.secret = null
      throw error
    })
    return this.secret
  }
}
