import { randomUUID } from 'node:crypto'
import { encodeRate } from '@radx/rainfall'
import { Evaluator } from '../apps/server/src/alerts/evaluator.ts'
import { startState } from '../apps/server/src/alerts/machine.ts'
import { replayRule } from '../apps/server/src/alerts/replay-job.ts'
import { commitFrames } from '../apps/server/src/store/commit-frames.ts'
import { prepareFrame } from '../apps/server/src/store/prepared-frame.ts'
import { zoneWeights } from '../apps/server/src/store/zone-weights.ts'
import { sourceFile } from '../apps/server/src/testing/source-file.ts'
import type { BenchResult } from '../tools/bench.ts'
import { type ArchiveFixture, DAY_MS, END, openArchive, STEP_MS } from './archive-fixture.ts'

const DAYS = 30
const PRODUCT = 'dpsri'
const RULES = 500
const OWNER = 'banc'

const zone = { kind: 'zone', catchment: 'melun', subcatchment: null } as const
const pointOf = (k: number) =>
  ({ kind: 'point', lat: 48.45 + 0.01 * (k % 20), lng: 2.4 + 0.01 * (k % 37) }) as const

/** A rule replayed over 30 days of images every 206 s, and an image that 500 rules look at. */
export async function run(): Promise<BenchResult[]> {
  const archive = await openArchive(DAYS)
  try {
    return [...(await replays(archive)), ...(await manyRules(archive))]
  } finally {
    await archive.close()
  }
}

async function replays({ deps, store }: ArchiveFixture): Promise<BenchResult[]> {
  const rain = { product: PRODUCT, place: zone }
  const point = { product: PRODUCT, place: pointOf(5) }
  const tried = [
    ['intensity over a catchment', { kind: 'rain-rate', ...rain }, 10],
    ['total of an hour at a point', { kind: 'rain-total', ...point, minutes: 60 }, 10],
    ['return period over a catchment', { kind: 'rain-return', ...rain, table: null }, 2],
    ['return period at a point', { kind: 'rain-return', ...point, table: null }, 2],
  ] as const
  const results: BenchResult[] = []
  for (const [name, measure, threshold] of tried) {
    const input = {
      ...{ username: OWNER, start: iso(END - DAYS * DAY_MS), end: iso(END) },
      rule: { measure, threshold, clear: threshold / 2, minMinutes: 0 },
      event: {
        measure: { kind: 'rain-total' as const, ...rain, minutes: 60 },
        ...{ threshold: 15, windowMin: 60 },
      },
    }
    const [before, from] = [process.cpuUsage(), performance.now()]
    const told = await replayRule({ ...deps, store }, input, new AbortController().signal, () => undefined)
    const seconds = (performance.now() - from) / 1000
    const { user, system } = process.cpuUsage(before)
    results.push({
      ...{ name: `replay of ${DAYS} days: ${name}`, value: round(seconds), unit: 's', aim: '≤ 60 s' },
      note: `${round((user + system) / 1e6)} s of processor; ${told.samples} images, ${told.rows[3].alerts} alerts, ${told.events} events`,
    })
  }
  return results
}

/** From the commit of an image to the last alert of rules over all of the product, each of which it makes cross. */
async function manyRules({ deps, store }: ArchiveFixture): Promise<BenchResult[]> {
  const { db } = deps
  await db.deleteFrom('alert_rule').execute()
  await db
    .insertInto('account')
    .values({
      ...{ id: randomUUID(), name: OWNER, name_key: OWNER, password_hash: '', avatar: null },
      ...{ disabled_at: null, restriction_start: null, restriction_end: null },
    })
    .onConflict((c) => c.doNothing())
    .execute()
  const timeMs = Math.floor(Date.now() / STEP_MS) * STEP_MS
  const measureOf = (k: number) => {
    const place = k % 5 === 0 ? zone : pointOf(k)
    if (k % 5 < 3) return { kind: 'rain-rate', product: PRODUCT, place }
    return k % 5 === 3
      ? { kind: 'rain-total', product: PRODUCT, place, minutes: 60 }
      : { kind: 'rain-return', product: PRODUCT, place, table: null }
  }
  await db
    .insertInto('alert_rule')
    .values(
      Array.from({ length: RULES }, (_, k) => ({
        ...{ username: OWNER, name: `Règle ${k}`, threshold: 0.5, clear: 0.4, min_minutes: 0, enabled: true },
        ...{ severity: 'info' as const, escalate_min: null, value: null, value_at: null },
        measure: JSON.stringify(measureOf(k)),
        state: JSON.stringify(startState(timeMs - 3 * STEP_MS)),
        notify: JSON.stringify({ email: false, push: false, webhooks: [] }),
        quiet: null,
      })),
    )
    .execute()
  const product = store.catalog.products.get(PRODUCT)!
  const frame = (k: number, mmH: number) =>
    prepareFrame(
      new Uint16Array(product.steps ** 2).fill(encodeRate(mmH)),
      zoneWeights(product, store.catalog.zones),
      {
        ...{ product: PRODUCT, timeMs: timeMs + k * STEP_MS, version: '5', name: 'DPSRI' },
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
      },
    )
  const commit = (k: number, mmH: number) =>
    commitFrames(store.context, [{ frame: frame(k, mmH), source: sourceFile(`${timeMs} ${k}`) }])
  let nowMs = timeMs
  const evaluator = new Evaluator({ ...deps, clock: { now: () => nowMs } }, store, 0)
  await commit(-1, 0)
  await evaluator.round()
  const memory = process.memoryUsage().rss
  await commit(0, 120)
  nowMs += 1_000
  const [before, from] = [process.cpuUsage(), performance.now()]
  await evaluator.round()
  const seconds = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(before)
  const raised = await db
    .selectFrom('alert')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await db.deleteFrom('alert_rule').execute()
  return [
    {
      ...{ name: `an image that ${RULES} rules look at, to their alerts`, value: round(seconds), unit: 's' },
      aim: '≤ 10 s',
      note: `${round((user + system) / 1e6)} s of processor, ${Math.round((process.memoryUsage().rss - memory) / 1e6)} MB; ${raised.count} alerts`,
    },
  ]
}

const iso = (ms: number) => new Date(ms).toISOString()
const round = (value: number) => Math.round(value * 100) / 100
