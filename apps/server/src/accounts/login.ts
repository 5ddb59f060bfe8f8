import type { LoginAnswer, LoginBody } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/schema.ts'
import { installationSecret } from '../db/secret.ts'
import { networkOf } from '../http/address.ts'
import { Gate } from '../http/gate.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { deviceKey, isDeviceOf, newDevice } from './devices.ts'
import { AccountDisabled, TooManyLogins, WrongCredentials } from './errors.ts'
import { nameKey } from './names.ts'
import { hashPassword, needsRehash, verifyPassword, verifyUnknown } from './passwords.ts'
import { accountByKey, shapefilesOf, updateAccount } from './queries.ts'
import type { AccountSessions } from './sessions.ts'
import type { AccountRow } from './tables.ts'
import {
  ADDRESS_BUDGET,
  accountKey,
  addressKey,
  type Budget,
  forget,
  giveBack,
  PAIR_BUDGET,
  pairKey,
  STRANGERS_BUDGET,
  take,
} from './throttle.ts'

const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 256
/** A browser that signed in before goes ahead of everyone. */
const KNOWN_DEVICE = -1
/** What a network may ask before the database is; its budget there is smaller. */
const CALLS_A_NETWORK = { burst: 80, perSecond: 4 }
/** Remembers who failed lately: each failure puts a network further back, for half a minute. */
const FAILURES_A_NETWORK = { burst: 100, perSecond: 1 / 30 }

export interface LoginDeps {
  db: Kysely<Database>
  clock: Clock
  sessions: AccountSessions
}

/** Signs people in. One for the process: it bounds how many passwords are checked at once. */
export class Login {
  readonly #deps: LoginDeps
  readonly #gate = new Gate(CHECKS_AT_ONCE, CHECKS_WAITING, {
    code: 'accounts.busy',
    message: 'Trop de connexions en cours. Réessayer dans quelques secondes.',
  })
  readonly #calls = new TokenBuckets(CALLS_A_NETWORK)
  readonly #failures = new TokenBuckets(FAILURES_A_NETWORK)
  #secret: Promise<Buffer> | null = null

  constructor(deps: LoginDeps) {
    this.#deps = deps
  }

  /**
   * Tries count before the password is looked at, and a success gives them back, so that only failures wear a budget
   * out. Nobody can wear out somebody else's: a browser that signed in to the account before has its own budget, an
   * address has one a name, and what strangers share on an account is wide.
   *
   * @throws TooManyLogins, WrongCredentials, AccountDisabled
   */
  async run({ username, password, device }: LoginBody, address: string): Promise<LoginAnswer> {
    const { db, clock } = this.#deps
    const network = networkOf(address)
    // Who shows a device, true or forged, is counted apart from the crowd at the same address.
    const caller = device === undefined ? network : `${network} device`
    if (!this.#calls.take(caller, clock.now()))
      throw new TooManyLogins(1000 * this.#calls.waitSeconds(caller, clock.now()))
    const key = nameKey(username)
    const account = key === null ? undefined : await accountByKey(db, key)
    const known = account !== undefined && isDeviceOf(await this.#openSecret(), account, device)
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

    const right = await this.#gate.run(
      () => (account ? verifyPassword(account.password_hash, password) : verifyUnknown(password)),
      known ? KNOWN_DEVICE : this.#failures.spent(network, clock.now()),
    )
    if (!account || !right) {
      this.#failures.take(network, clock.now())
      throw new WrongCredentials()
    }
    if (account.disabled_at) throw new AccountDisabled()
    await Promise.all(
      budgets.map(([budgetKey, budget]) =>
        budget === PAIR_BUDGET ? forget(db, budgetKey) : giveBack(db, budgetKey, budget),
      ),
    )
    return this.#opened(account, password, known ? device : undefined)
  }

  /** @param device what the browser showed; another is made where it showed none */
  async #opened(account: AccountRow, password: string, device: string | undefined): Promise<LoginAnswer> {
    const { db, sessions } = this.#deps
    let { password_hash } = account
    if (needsRehash(password_hash)) {
      password_hash = await hashPassword(password)
      await updateAccount(db, account.id, { password_hash })
    }
    const [opened, shapefiles, secret] = await Promise.all([
      sessions.open(account.id),
      shapefilesOf(db, account.id),
      this.#openSecret(),
    ])
    return {
      name: account.name,
      ...opened,
      device:
        password_hash === account.password_hash && device !== undefined
          ? device
          : newDevice(secret, { id: account.id, password_hash }),
      roles: account.roles,
      avatar: account.avatar,
      restriction: {
        start: account.restriction_start?.toISOString() ?? null,
        end: account.restriction_end?.toISOString() ?? null,
      },
      shapefiles,
      csv: account.csv,
    }
  }

  #openSecret(): Promise<Buffer> {
    this.#secret ??= installationSecret(this.#deps.db, 'device.secret').catch((error) => {
      this.#secret = null
      throw error
    })
    return this.#secret
  }
}
