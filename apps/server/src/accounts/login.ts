import type { LoginAnswer, LoginBody } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/schema.ts'
import { Gate } from '../http/gate.ts'
import { AccountDisabled, TooManyLogins, WrongCredentials } from './errors.ts'
import { nameKey } from './names.ts'
import { hashPassword, needsRehash, verifyPassword, verifyUnknown } from './passwords.ts'
import { accountByKey, shapefilesOf, updateAccount } from './queries.ts'
import type { AccountSessions } from './sessions.ts'
import { ACCOUNT_BUDGET, ADDRESS_BUDGET, accountKey, addressKey, forget, giveBack, take } from './throttle.ts'

const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 64

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

  constructor(deps: LoginDeps) {
    this.#deps = deps
  }

  /**
   * Tries count against the address and the account before the password is looked at, and a success gives
   * them back, so that only failures wear a budget out.
   *
   * @throws TooManyLogins, WrongCredentials, AccountDisabled
   */
  async run({ username, password }: LoginBody, address: string): Promise<LoginAnswer> {
    const { db, clock, sessions } = this.#deps
    const [byAddress, byAccount] = [addressKey(address), accountKey(username)]
    for (const [key, budget] of [
      [byAddress, ADDRESS_BUDGET],
      [byAccount, ACCOUNT_BUDGET],
    ] as const) {
      const waitMs = await take(db, key, budget, clock.now())
      if (waitMs > 0) throw new TooManyLogins(waitMs)
    }

    const key = nameKey(username)
    const account = key === null ? undefined : await accountByKey(db, key)
    const right = await this.#gate.run(() =>
      account ? verifyPassword(account.password_hash, password) : verifyUnknown(password),
    )
    if (!account || !right) throw new WrongCredentials()
    if (account.disabled_at) throw new AccountDisabled()

    await Promise.all([forget(db, byAccount), giveBack(db, byAddress, ADDRESS_BUDGET)])
    if (needsRehash(account.password_hash))
      await updateAccount(db, account.id, { password_hash: await hashPassword(password) })
    const [opened, shapefiles] = await Promise.all([sessions.open(account.id), shapefilesOf(db, account.id)])
    return {
      name: account.name,
      ...opened,
      roles: account.roles,
      avatar: account.avatar,
      restriction: {
        start: account.restriction_start?.toISOString() ?? null,
        end: account.restriction_end?.toISOString() ?? null,
      },
      shapefiles,
    }
  }
}
