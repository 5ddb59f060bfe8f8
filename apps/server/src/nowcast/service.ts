import { CLASS_NO_DATA, type LatLng, NOWCAST_STEP_MIN, type NowcastPlace } from '@radx/contracts'
import { cellOf, classBlockLength } from '@radx/rainfall'
import type { FastifyRequest } from 'fastify'
import type { StoredProduct } from '../store/catalog.ts'
import type { Store } from '../store/open-store.ts'
import type { Answers } from '../threads/answers.ts'
import { type NowcastAnswer, nowcastAnswer } from './answers.ts'

/** Forecasts that are kept: they are small, and many ask for the same. */
const KEPT = 12
/** A forecast starts from a frame at most this long before the moment asked for. */
const OLDEST_MS = 3_600_000

/** Forecasts by product and issue, each made once. */
export class Nowcasts {
  readonly #answers: Answers
  readonly #kept = new Map<string, Promise<NowcastAnswer>>()

  constructor(answers: Answers) {
    this.#answers = answers
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
   * @returns null where no product has a frame within the hour before
   */
  async issue(store: Store, atMs: number): Promise<{ product: StoredProduct; issuedMs: number } | null> {
    for (const product of widestFirst(store)) {
      const places = await store.index.places(product, { startMs: atMs - OLDEST_MS, endMs: atMs + 1 })
      const last = places.at(-1)
      if (last) return { product, issuedMs: last.timeMs }
    }
    return null
  }

  forecast(product: StoredProduct, issuedMs: number, request: FastifyRequest): Promise<NowcastAnswer> {
    const key = `${product.shortName} ${issuedMs}`
    const known = this.#kept.get(key)
    if (known) return known
    const made = this.#answers.make(nowcastAnswer, { p: product.shortName, issuedMs }, request)
    this.#kept.set(key, made)
    while (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    made.catch(() => this.#kept.delete(key))
    return made
  }
}

const widestFirst = (store: Store) =>
  [...store.catalog.products.values()].sort((a, b) => areaOf(b) - areaOf(a))
const areaOf = ({ bounds: { ul, lr } }: StoredProduct) => (ul.lat - lr.lat) * (lr.lng - ul.lng)

/** What is to come at a place; outside the product nothing is known. */
export function atPlace(
  product: StoredProduct,
  { about, bundle }: NowcastAnswer,
  point: LatLng,
): NowcastPlace {
  const { issued, horizonMin, reason, times } = about
  const cell = cellOf(product, point)
  const index = cell ? cell.row * product.steps + cell.col : -1
  const length = classBlockLength(product.steps)
  const start = bundle.length - (times.length + 1) * length
  const classes = [0, ...times.keys().map((k) => (k + 1) * NOWCAST_STEP_MIN)].map((leadMin, k) => {
    const byte = index < 0 ? 0xff : bundle[start + k * length + (index >> 1)]
    const code = index % 2 === 0 ? byte >> 4 : byte & 15
    return { leadMin, class: code === CLASS_NO_DATA ? null : code }
  })
  const wet = classes.find((lead) => (lead.class ?? 0) > 0)
  const dry = classes.find((lead) => lead.class === 0)
  const rains = (classes[0]?.class ?? 0) > 0
  return {
    issued,
    horizonMin,
    reason,
    classes,
    rainInMin: wet?.leadMin ?? null,
    dryInMin: rains ? (dry?.leadMin ?? null) : null,
  }
}
