import { ROLE_MANAGER } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { AccountRules } from '../../config/account-rules.ts'
import type { Database } from '../../db/schema.ts'
import { networkOf } from '../../http/address.ts'
import { TooManyRequests } from '../../http/errors.ts'
import type { Session } from '../../http/sessions.ts'
import { TokenBuckets } from '../../http/token-buckets.ts'
import { rolesInForce } from '../roles.ts'
import { hashAccessToken, type TokenHolder, tokenHolder, touchToken } from './access-tokens.ts'

/** Calls of one token: a notebook that loops is fine, one that loops without end is told to slow down. */
export const TOKEN_RATE = { burst: 300, perSecond: 10 }
/** How often the last use of a token is written down. */
const USE_STEP_MS = 60_000

/** Finds who stands behind a personal access token, and holds it to its rate. */
export class AccessTokens {
  private readonly db: Kysely<Database>
  private readonly clock: Clock
  private readonly rules: Pick<AccountRules, 'require2fa'>
  private readonly rate = new TokenBuckets(TOKEN_RATE)

  constructor(db: Kysely<Database>, clock: Clock, rules: Pick<AccountRules, 'require2fa'>) {
    this.db = db
    this.clock = clock
    this.rules = rules
  }

  /**
   * @param address where the call comes from; undefined for a look that is no use of the token
   * @returns null for one that is unknown, expired or revoked
   * @throws TooManyRequests when the token's rate is spent
   */
  async resolve(token: string, address?: string): Promise<Session | null> {
    const hash = hashAccessToken(token)
    const now = this.clock.now()
    const holder = hash && (await tokenHolder(this.db, hash, new Date(now)))
    if (!holder) return null
    if (address !== undefined) await this.use(holder, address, now)
    const ownRoles = rolesInForce(holder, holder.has_factor, this.rules)
    return {
      userId: holder.id,
      name: holder.name,
      // Only what was given to it: a manager's token that reads is no manager.
      roles: holder.scopes.includes('manage') ? ownRoles : ownRoles.filter((role) => role !== ROLE_MANAGER),
      token: { id: holder.token_id, scopes: holder.scopes, ownRoles },
      restriction: narrowed(holder),
      csv: holder.csv,
    }
  }

  private async use({ token_id, last_used_at }: TokenHolder, address: string, now: number): Promise<void> {
    if (!this.rate.take(token_id, now))
      throw new TooManyRequests(
        'Ce jeton a fait trop d’appels. Attendre, puis reprendre plus lentement.',
        this.rate.waitSeconds(token_id, now),
      )
    if (last_used_at === null || now - last_used_at.getTime() >= USE_STEP_MS)
      await touchToken(this.db, token_id, new Date(now), networkOf(address))
  }
}

/** The dates of the account and those of the token, both. */
function narrowed(holder: TokenHolder): Session['restriction'] {
  const start = later(holder.restriction_start, holder.token_start)
  const end = earlier(holder.restriction_end, holder.token_end)
  return start || end ? { start, end } : null
}

const later = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b))
const earlier = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))
