import { setTimeout as sleep } from 'node:timers/promises'
import type { Verification } from '@radx/contracts'
import type { Kysely } from 'kysely'
import { keepDoing } from './background.ts'
import { runAsLeader } from './db/leader.ts'
import type { Database } from './db/schema.ts'
import type { Deps, RegisterFeature } from './http/app.ts'
import { openRecovery } from './ingest/api.ts'
import { storeOf } from './store/open-store.ts'
import { utcDay } from './store/utc-day.ts'
import { Verifier, type VerifyReport, verifyDay } from './store/verify.ts'
import { verifyAll } from './verification.ts'

/** Beside a running server a walk leaves the disk to others: 1 TB takes a day and a half. */
const BACKGROUND_BYTES_PER_SECOND = 8e6
const START_MS = 60_000
const LOOK_MS = 10 * 60_000
const FOUND_MS = 2_000
const DAY_MS = 86_400_000
const KEY = 'verify.last'

/** What the last whole walk came to; null before the first. */
export async function lastVerification(db: Kysely<Database>): Promise<Verification | null> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', KEY).executeTakeFirst()
  return (row?.value as Verification | undefined) ?? null
}

export async function saveVerification(
  db: Kysely<Database>,
  at: Date,
  { checked, bytes, sealed, repaired, damagedCount }: VerifyReport,
): Promise<void> {
  const told: Verification = { at: at.toISOString(), checked, bytes, sealed, repaired, damaged: damagedCount }
  const value = JSON.stringify(told) as never
  await db
    .insertInto('setting')
    .values({ key: KEY, value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Walks all that is stored every `verifyDays`, in one process however many serve, and makes again at once what a
 * reader found damaged.
 */
export const keepVerified: RegisterFeature = (app, deps) => {
  const stop = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  deps.status.verification = () => lastVerification(deps.db)
  app.addHook('onReady', async () => {
    const walk =
      deps.config.verifyDays === 0
        ? null
        : runAsLeader(deps.database, 'verify', (signal) => keepWalking(deps, signal), {
            stop: stop.signal,
            log: deps.log,
          })
    running = Promise.all([walk, keepMending(deps, stop.signal)])
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
}

async function keepWalking(deps: Deps, signal: AbortSignal): Promise<void> {
  // A start has other things to do first.
  await sleep(START_MS, undefined, { signal }).catch(() => undefined)
  const round = async () => {
    const last = await lastVerification(deps.db)
    const now = deps.clock.now()
    if (last !== null && now - Date.parse(last.at) < deps.config.verifyDays * DAY_MS) return
    const store = await storeOf(deps)
    const report = await verifyAll({
      deps,
      store,
      repair: true,
      bytesPerSecond: BACKGROUND_BYTES_PER_SECOND,
      signal,
    })
    await saveVerification(deps.db, new Date(deps.clock.now()), report)
    const { damaged, ...counts } = report
    if (report.damagedCount > 0)
      deps.log.error({ ...counts, damaged }, 'Des données enregistrées sont endommagées')
    else deps.log.info(counts, 'Données enregistrées vérifiées')
  }
  await keepDoing(round, {
    signal,
    pauseMs: LOOK_MS,
    log: deps.log,
    failed: "Les données enregistrées n'ont pas pu être vérifiées",
    excuse: () => deps.database.unavailable(),
  })
}

/** Makes again the days in which this process found damage as it read. */
async function keepMending(deps: Deps, signal: AbortSignal): Promise<void> {
  const found = new Map<string, { product: string; day: string }>()
  const round = async () => {
    const store = await storeOf(deps)
    store.index.onDamage = (product, timeMs) => {
      const day = utcDay(timeMs)
      found.set(`${product} ${day}`, { product, day })
    }
    for (const [key, { product: name, day }] of found) {
      deps.log.error({ product: name, day }, 'Image endommagée : le jour est refait')
      const recovery = openRecovery({ config: deps.config, site: deps.site, store })
      try {
        const { catchments, site } = deps
        const product = store.catalog.products.get(name)!
        const verifier = new Verifier({ repair: true, signal, bytesPerSecond: Number.POSITIVE_INFINITY })
        const options = { store, catchments, timeZone: site.timeZone, recover: recovery.recover }
        await verifyDay(options, verifier, product, day)
        if (verifier.report.damagedCount > 0)
          deps.log.error({ damaged: verifier.report.damaged }, 'Images perdues')
      } finally {
        found.delete(key)
        await recovery.close()
      }
    }
  }
  await keepDoing(round, {
    signal,
    pauseMs: FOUND_MS,
    log: deps.log,
    failed: "Un jour endommagé n'a pas pu être refait",
    excuse: () => deps.database.unavailable(),
  })
}
