import { RadxError } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'
import { type Kysely, type RawBuilder, sql } from 'kysely'
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

/**
 * Bytes that count together of an account: results of runs and exports, files of networks, catchments and drafts, rains
 * and measurements.
 */
export const keptBytes = (username: string): RawBuilder<number> => sql<number>`(
  (select coalesce(sum(output_bytes), 0) from job where username = ${username}) +
  (select coalesce(sum(v.bytes), 0) from network_version v join network n on n.id = v.network_id
    where n.username = ${username}) +
  (select coalesce(sum(v.bytes), 0) from catchment_version v join catchment c on c.id = v.catchment_id
    where c.username = ${username}) +
  (select coalesce(sum(f.bytes), 0) from builder_file f join builder_draft d on d.id = f.draft_id
    where d.username = ${username}) +
  (select coalesce(sum(length(pictures)), 0) from own_rain where username = ${username}) +
  (select coalesce(sum(bytes), 0) from observation where username = ${username}))::float8`

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
