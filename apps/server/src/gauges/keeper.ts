import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '../background.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import type { Span } from '../store/frame-index.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { utcDay, utcDayStart } from '../store/utc-day.ts'
import { type Answers, answersOf } from '../threads/answers.ts'
import {
  allGauges,
  forgetOthers,
  gaugeDayAnswer,
  spansWithReadings,
  type WaitingDay,
  waitingDays,
} from './waiting-days.ts'

/** A server that starts has better things to do. */
const FIRST_MS = 60_000
const PAUSE_MS = 60_000
const DAY_MS = 86_400_000
/** Days that are looked at each time; those before now and then, as frames and gauges may come late. */
const RECENT_DAYS = 3
const WHOLE_MS = 3_600_000
/** Rest after work, in times of it; a demonstration is somebody's laptop. */
const REST = { archive: 1, demo: 19 }

/**
 * Reads what the radar had over gauges on days that are over, so that the first look at a month does not have to: in one
 * process however many serve, in the threads of answers, a day at a time.
 */
export const keepGaugeDays: RegisterFeature = (app, deps) => {
  const answers = answersOf(app, deps)
  keepInOneProcess(app, deps, 'gauge-days', (signal) => keep(deps, answers, signal))
}

async function keep(deps: Deps, answers: Answers, signal: AbortSignal): Promise<void> {
  await sleep(FIRST_MS, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return
  await deps.database.whenReady()
  const store = await storeOf(deps)
  const make = (day: WaitingDay) => answers.makeUnasked(gaugeDayAnswer, day)
  let wholeMs = Number.NEGATIVE_INFINITY
  const round = async () => {
    const nowMs = deps.clock.now()
    const isWhole = nowMs - wholeMs >= WHOLE_MS
    await fillGaugeDays(deps, store, { nowMs, isWhole, signal }, make)
    if (isWhole && !signal.aborted) wholeMs = nowMs
  }
  await keepDoing(round, {
    signal,
    pauseMs: PAUSE_MS,
    log: deps.log,
    failed:
      'La pluie du radar sur les pluviomètres n’a pas pu être lue d’avance : la première comparaison la lira',
    excuse: () => deps.database.unavailable(),
  })
}

/**
 * Makes the days that wait, newest first.
 * @param make makes one; false where it cannot be made yet
 * @returns how many were made
 * @throws the last failure, when all others are made
 */
export async function fillGaugeDays(
  { db, site, config, log }: Pick<Deps, 'db' | 'site' | 'config' | 'log'>,
  store: Store,
  { nowMs, isWhole, signal }: { nowMs: number; isWhole: boolean; signal: AbortSignal },
  make: (day: WaitingDay) => Promise<boolean>,
): Promise<number> {
  const gauges = await allGauges(db, site)
  const today = utcDayStart(utcDay(nowMs)).getTime()
  const spans: Span[] = isWhole
    ? await spansWithReadings(db, store, nowMs)
    : [{ startMs: today - RECENT_DAYS * DAY_MS, endMs: today }]
  let count = 0
  let failure: unknown = null
  if (isWhole) for (const product of store.catalog.products.values()) await forgetOthers(db, product, gauges)
  for (const span of spans)
    for (const product of store.catalog.products.values())
      for (const method of config.followsRain ? (['moved', 'raw'] as const) : (['raw'] as const))
        for (const day of await waitingDays(db, product, method, gauges, span)) {
          if (signal.aborted) return count
          const begun = performance.now()
          try {
            if (await make(day)) count++
          } catch (error) {
            // A day that cannot be read holds none of the others up.
            failure = error
          }
          const rest = config.demo ? REST.demo : REST.archive
          await sleep((performance.now() - begun) * rest, undefined, { signal }).catch(() => undefined)
        }
  if (count > 0) log.debug({ days: count }, 'Pluie du radar sur les pluviomètres lue d’avance')
  if (failure !== null) throw failure
  return count
}
