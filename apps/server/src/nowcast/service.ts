import { setTimeout as sleep } from 'node:timers/promises'
import {
  CLASS_NO_DATA,
  type LatLng,
  NOWCAST_CHANCES_MM_H,
  type Nowcast,
  type NowcastFan,
  type NowcastPlace,
} from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { cellOf, classBlockLength, decodeRate } from '@radx/rainfall'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../http/app.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Store } from '../store/open-store.ts'
import type { Answers } from '../threads/answers.ts'
import {
  chancesAnswer,
  membersAnswer,
  type NowcastAnswer,
  nowcastAnswer,
  nowcastSkill,
  type ReplayedMembers,
} from './answers.ts'
import { type KeptForecast, KeptForecasts, partsOf } from './kept/kept-forecasts.ts'
import { byteAt, codeAt, partsOfLead } from './kept/parts.ts'
import { horizonOf, type Skill } from './live/skill.ts'
import { QUANTILES } from './made/members.ts'
import { levelRates } from './made/rate-levels.ts'
import { NoMembers } from './no-members.ts'
import { widestFirst } from './products.ts'

/** Answers that stay in memory: many ask for the same. */
const KEPT = 12
const KEPT_CHANCES = 6
const KEPT_MEMBERS = 2
/** A forecast starts from a frame at most this long before the moment asked for. */
const OLDEST_MS = 3_600_000
/** Whoever kept a forecast so long ago at most makes the next one too, ms. */
const AT_WORK_MS = 10 * 60_000
/** A forecast on its way is waited for so long, and looked for so often, ms. */
const WAIT_MS = 5_000
const LOOK_MS = 50
/** The newest kept forecast stands for the newest frame while that one's is made, frames. */
const MEANWHILE_FRAMES = 2.5

type Chance = (typeof NOWCAST_CHANCES_MM_H)[number]

/** The frame that a forecast starts from, and what was kept of it. */
export interface Issue {
  product: StoredProduct
  issuedMs: number
  row: KeptForecast | null
  /** Whether the newest was asked for: members of a kept one are on their way. */
  newest: boolean
}

/** Forecasts by product and issue: as they were kept, else made again, each once. */
export class Nowcasts {
  private readonly answers: Answers
  private readonly db: Deps['db']
  private readonly forecasts = new Latest<NowcastAnswer>(KEPT)
  private readonly skills = new Latest<Skill[]>(KEPT)
  private readonly latestChances = new Latest<{ bundle: Uint8Array } | null>(KEPT_CHANCES)
  private readonly members = new Latest<ReplayedMembers | null>(KEPT_MEMBERS)
  /** Those that are waited for, by product and issue: however many ask, one looks. */
  private readonly coming = new Map<string, Promise<KeptForecast | null>>()

  constructor(answers: Answers, db: Deps['db']) {
    this.answers = answers
    this.db = db
  }

  /** The newest frame of the product that reaches farthest and has any; null without frames. */
  async newest(store: Store): Promise<number | null> {
    for (const product of widestFirst(store)) {
      const newestMs = await store.index.latest(product)
      if (newestMs !== null) return newestMs
    }
    return null
  }

  /**
   * The frame from which a forecast starts: the newest at or before a moment, of the product that reaches farthest, so
   * that rain can come from outside.
   * @param newest whether the forecast before will do while that of the newest frame is made
   * @returns null where no product has a frame within the hour before
   */
  async issue(store: Store, atMs: number, newest: boolean): Promise<Issue | null> {
    const kept = new KeptForecasts(this.db, store.frames)
    for (const product of widestFirst(store)) {
      const places = await store.index.places(product, { startMs: atMs - OLDEST_MS, endMs: atMs + 1 })
      const last = places.at(-1)
      if (!last) continue
      const fromMs = last.timeMs - MEANWHILE_FRAMES * product.frameSeconds * 1000
      const made = newest ? await kept.newest(product, fromMs) : null
      const issuedMs = made !== null && made < last.timeMs ? made : last.timeMs
      const row =
        (await kept.find(product, issuedMs)) ?? (await this.onItsWay(store, kept, product, issuedMs))
      return { product, issuedMs, row, newest }
    }
    return null
  }

  /** The forecast of the newest frame while it is being made: to make it twice takes longer. Null where nobody makes it. */
  private onItsWay(...of: Parameters<Nowcasts['untilKept']>): Promise<KeptForecast | null> {
    const [, , product, issuedMs] = of
    const key = `${product.shortName} ${issuedMs}`
    const found = this.coming.get(key) ?? this.untilKept(...of).finally(() => this.coming.delete(key))
    this.coming.set(key, found)
    return found
  }

  private async untilKept(
    store: Store,
    kept: KeptForecasts,
    product: StoredProduct,
    issuedMs: number,
  ): Promise<KeptForecast | null> {
    if ((await store.index.latest(product)) !== issuedMs) return null
    const beforeMs = await kept.newest(product, issuedMs - MEANWHILE_FRAMES * product.frameSeconds * 1000)
    const before = beforeMs === null ? null : await kept.find(product, beforeMs)
    if (!before || before.made_at.getTime() < Date.now() - AT_WORK_MS) return null
    for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(LOOK_MS)) {
      const row = await kept.find(product, issuedMs)
      if (row) return row
    }
    return null
  }

  forecast(issue: Issue, request: FastifyRequest): Promise<NowcastAnswer> {
    const input = inputOf(issue)
    return this.forecasts.of(keyOf(issue), () => this.answers.make(nowcastAnswer, input, request))
  }

  /** A forecast in words, with how good those of the last hour were. */
  async about(issue: Issue, request: FastifyRequest): Promise<Nowcast> {
    const [{ about }, skill] = await Promise.all([this.forecast(issue, request), this.skill(issue, request)])
    return { ...about, horizonMin: horizonOf(skill), skill }
  }

  /** What is to come at a place; outside the product nothing is known. */
  async place(issue: Issue, point: LatLng, request: FastifyRequest): Promise<NowcastPlace> {
    const [answer, skill] = await Promise.all([this.forecast(issue, request), this.skill(issue, request)])
    return { ...atPlace(issue.product, answer, point), horizonMin: horizonOf(skill) }
  }

  private async skill(issue: Issue, request: FastifyRequest): Promise<Skill[]> {
    const { about } = await this.forecast(issue, request)
    if (about.reason !== null) return []
    const input = inputOf(issue)
    return this.skills.of(`${input.p} ${input.issuedMs}`, () =>
      this.answers.make(nowcastSkill, input, request),
    )
  }

  /**
   * Class bundle of the probability of so much rain.
   * @throws NoMembers where none were made, and the asker may not have them made
   */
  async chances(issue: Issue, above: Chance, request: FastifyRequest): Promise<Uint8Array> {
    if (issue.row && issue.row.members > 0) {
      const kept = await this.latestChances.of(`${keyOf(issue)} ${above}`, () =>
        this.answers.make(chancesAnswer, { ...inputOf(issue), above }, request),
      )
      if (kept) return kept.bundle
    }
    const { low, middle, high } = await this.replayed(issue, request)
    return [low, middle, high][NOWCAST_CHANCES_MM_H.indexOf(above)]
  }

  /** Mean over a zone and its fan. @param ordinal of the zone, from 1 */
  async fan(store: Store, issue: Issue, ordinal: number, request: FastifyRequest): Promise<NowcastFan> {
    const answer = await this.forecast(issue, request)
    const replayed = await this.membersOf(issue, answer, request)
    const zones = store.catalog.zones.length
    const { row } = issue
    const quantiles = (lead: number): (number | null)[] =>
      replayed
        ? replayed.zoneQuantile[lead][ordinal - 1]
        : (row?.zone_quantile
            ?.slice((lead * zones + ordinal - 1) * QUANTILES.length)
            .slice(0, QUANTILES.length) ?? [])
    const skill = await this.skill(issue, request)
    return fanOf(answer, skill, replayed?.members ?? row?.members ?? 0, (k) => ({
      mmH: answer.zoneMean[k]?.[ordinal - 1] ?? null,
      quantiles: k === 0 ? [] : quantiles(k - 1),
    }))
  }

  /** What is forecast at a cell and its fan; outside the product nothing is known. */
  async pixel(store: Store, issue: Issue, point: LatLng, request: FastifyRequest): Promise<NowcastFan> {
    const { product, row } = issue
    const answer = await this.forecast(issue, request)
    const skill = await this.skill(issue, request)
    const cell = cellOf(product, point)
    if (!cell) return fanOf(answer, skill, 0, () => ({ mmH: null, quantiles: [] }))
    const index = cell.row * product.steps + cell.col
    const replayed = await this.membersOf(issue, answer, request)
    const parts = replayed ? replayed.parts : await this.keptParts(store, issue)
    const rate = (code: number) => known(decodeRate(code))
    const values = await Promise.all(
      [0, ...answer.leadsMin].map(async (_, k) => ({
        mmH: rate(k === 0 ? answer.lastCodes[index] : await codeAt(answer.parts[k], index)),
        quantiles: k === 0 || !parts ? [] : await levelsAt(parts, k - 1, index),
      })),
    )
    return fanOf(answer, skill, parts ? (replayed?.members ?? row?.members ?? 0) : 0, (k) => values[k])
  }

  private async keptParts(store: Store, { product, row }: Issue): Promise<Uint8Array[] | null> {
    if (!row || row.members === 0) return null
    try {
      return await partsOf(store.frames, product, row, 'members')
    } catch (error) {
      if (error instanceof StoreCorruptError) return null
      throw error
    }
  }

  /** Members made again, where there is a forecast without any and the asker has a session; null else. */
  private async membersOf(issue: Issue, { about }: NowcastAnswer, request: FastifyRequest) {
    if (about.reason !== null || issue.row?.members || !mayReplay(issue, request)) return null
    return this.replayed(issue, request)
  }

  private async replayed(issue: Issue, request: FastifyRequest): Promise<ReplayedMembers> {
    if (!mayReplay(issue, request)) throw new NoMembers()
    const made = await this.members.of(keyOf(issue), () =>
      this.answers.make(membersAnswer, inputOf(issue), request),
    )
    if (!made) throw new NoMembers()
    return made
  }
}

/** Members take seconds of a processor: they are not made for everyone, nor twice. */
const mayReplay = ({ row, newest }: Issue, { session }: FastifyRequest) =>
  session !== null && session !== undefined && !(row && newest)

const inputOf = ({ product, issuedMs }: Issue) => ({ p: product.shortName, issuedMs })
const keyOf = ({ product, issuedMs, row }: Issue) =>
  `${product.shortName} ${issuedMs} ${row ? `kept ${row.members}` : 'replayed'}`

/** The newest of what was made; a failure is forgotten. */
class Latest<T> {
  private readonly made = new Map<string, Promise<T>>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  of(key: string, make: () => Promise<T>): Promise<T> {
    const there = this.made.get(key)
    if (there) return there
    const made = make()
    this.made.set(key, made)
    while (this.made.size > this.most) this.made.delete(this.made.keys().next().value!)
    made.catch(() => this.made.delete(key))
    return made
  }
}

const known = (value: number) => (Number.isNaN(value) ? null : value)
const toHundredth = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value * 100) / 100

async function levelsAt(
  parts: readonly Uint8Array[],
  lead: number,
  index: number,
): Promise<(number | null)[]> {
  const first = lead * partsOfLead + NOWCAST_CHANCES_MM_H.length
  return Promise.all(QUANTILES.map(async (_, q) => known(levelRates[await byteAt(parts[first + q], index)])))
}

function fanOf(
  { about, leadsMin }: NowcastAnswer,
  skill: readonly Skill[],
  members: number,
  at: (k: number) => { mmH: number | null; quantiles: (number | null)[] },
): NowcastFan {
  const issuedMs = Date.parse(about.issued!)
  const leads = about.reason === null ? [0, ...leadsMin] : []
  return {
    product: about.product,
    issued: about.issued,
    reason: about.reason,
    horizonMin: horizonOf(skill),
    members,
    values: leads.map((leadMin, k) => {
      const { mmH, quantiles } = at(k)
      const [p10, p50, p90] = [0, 1, 2].map((q) => toHundredth(quantiles[q]))
      return { time: isoSeconds(issuedMs + leadMin * 60_000), leadMin, mmH: toHundredth(mmH), p10, p50, p90 }
    }),
  }
}

function atPlace(
  product: StoredProduct,
  { about, bundle, leadsMin }: NowcastAnswer,
  point: LatLng,
): Omit<NowcastPlace, 'horizonMin'> {
  const { issued, reason } = about
  const cell = cellOf(product, point)
  const index = cell ? cell.row * product.steps + cell.col : -1
  const length = classBlockLength(product.steps)
  const start = bundle.length - (leadsMin.length + 1) * length
  const classes = [0, ...leadsMin].map((leadMin, k) => {
    const byte = index < 0 ? 0xff : bundle[start + k * length + (index >> 1)]
    const code = index % 2 === 0 ? byte >> 4 : byte & 15
    return { leadMin, class: code === CLASS_NO_DATA ? null : code }
  })
  const wet = classes.find((lead) => (lead.class ?? 0) > 0)
  const dry = classes.find((lead) => lead.class === 0)
  const rains = (classes[0]?.class ?? 0) > 0
  return {
    issued,
    reason,
    classes,
    rainInMin: wet?.leadMin ?? null,
    dryInMin: rains ? (dry?.leadMin ?? null) : null,
  }
}
