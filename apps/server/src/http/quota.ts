import { RadxError } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** An account keeps as much as it may. Coming back later does not help: something has to be deleted. */
export class QuotaReached extends RadxError {
  override readonly name = 'QuotaReached'
  constructor(what: string, limit: number) {
    super(
      'quota.reached',
      409,
      `Votre compte garde déjà ${countFr(limit, what, what.endsWith('eau') ? `${what}x` : `${what}s`)}, le plus que ce serveur permet. Supprimez ce qui ne sert plus, puis réessayez.`,
      { details: { limit } },
    )
  }
}

/** @throws QuotaReached when one more would be too many, or the bytes are used up */
export function holdQuota(
  what: string,
  kept: { count: number; bytes: number },
  limits: { count: number; bytes: number },
): void {
  if (kept.count >= limits.count) throw new QuotaReached(what, limits.count)
  if (kept.bytes >= limits.bytes) throw new QuotaReached('Mo de résultat', Math.round(limits.bytes / 1e6))
}

/** Lets one transaction of a user at a time count and add things of a kind, so that two cannot pass a limit together. */
export async function oneAtATime(trx: Kysely<Database>, what: string, username: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`${what}:${username}`}))`.execute(trx)
}
