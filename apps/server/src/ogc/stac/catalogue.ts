import type { FastifyRequest } from 'fastify'
import { allowLiveOrPeriod, allowPeriod, bearerToken } from '../../http/authorize.ts'
import { BadRequest, NotFound, Unauthenticated } from '../../http/errors.ts'
import { type FinishedRun, finishedRun, finishedRuns } from '../../simulation/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import { extentOf, type OgcContext } from '../context.ts'
import type { Asked } from '../edr/period.ts'
import { type Box, meets } from '../features/geometry.ts'
import { isOfTime } from '../features/query.ts'
import { timeOfRun } from '../features/run-features.ts'
import { publicAddress } from '../public-address.ts'
import type { Search } from './asked.ts'
import {
  boxOf,
  boxOfRun,
  type Described,
  frameItem,
  frameOfId,
  type Item,
  RUNS,
  runItem,
} from './documents.ts'

/** Newest runs that the catalogue has. */
const RUNS_MAX = 1_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Everywhere, where nothing says less. */
const WORLD = [-180, -90, 180, 90] as const

/** A page, and where the next one begins. */
export interface Page {
  items: Item[]
  next: string | null
}

/** Frames and finished runs as each caller may see them: what they may not is left out, or refused where it is named. */
export class StacCatalogue {
  private readonly context: OgcContext

  constructor(context: OgcContext) {
    this.context = context
  }

  /** Names of the collections that a caller is told of: one a product, then that of runs. */
  async names({ session }: FastifyRequest): Promise<string[]> {
    const { catalog } = await this.context.store()
    return [...catalog.products.keys(), ...(session === null ? [] : [RUNS])]
  }

  async describe(request: FastifyRequest, id: string): Promise<Described> {
    if (id === RUNS) return this.describeRuns(request)
    const store = await this.context.store()
    const product = productNamed(store, id)
    const extent = await extentOf(store, product)
    return {
      id,
      title: product.longName,
      description: 'Une image par tour du radar. Sans jeton : les trois dernières heures.',
      bbox: boxOf(product.bounds),
      time: { startMs: extent?.firstMs ?? null, endMs: extent?.newestMs ?? null },
    }
  }

  private async describeRuns(request: FastifyRequest): Promise<Described> {
    const runs = await this.runs(request)
    const boxes = runs.map(boxOfRun).filter((box) => box !== null)
    const times = runs.map(timeOfRun)
    const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b))
    const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b))
    return {
      id: RUNS,
      title: 'Simulations terminées',
      description: `Les ${RUNS_MAX} plus récentes que le compte peut voir.`,
      bbox:
        boxes.length === 0
          ? WORLD
          : [0, 1, 2, 3].map((k) => (k < 2 ? least : most)(boxes.map((box) => box[k]))),
      time: {
        startMs: times.length === 0 ? null : least(times.map(({ startMs }) => startMs)),
        endMs: times.length === 0 ? null : most(times.map(({ endMs }) => endMs)),
      },
    }
  }

  /** One item. @throws NotFound, Unauthenticated or Forbidden for what is there and not the caller's to see */
  async item(request: FastifyRequest, collection: string, id: string): Promise<Item> {
    const address = publicAddress(request, this.context.deps.config)
    if (collection === RUNS) {
      const session = sessionOf(request)
      const run = UUID.test(id) ? await finishedRun(this.context.deps.db, session, id) : null
      if (!run) throw new NotFound('Cette simulation n’existe pas, ou elle n’est pas terminée.')
      if (run.period) allowPeriod(request, run.period.start, run.period.end)
      return runItem(run, address)
    }
    const store = await this.context.store()
    const product = productNamed(store, collection)
    const frame = frameOfId(id)
    const none = () => new NotFound(`« ${id.slice(0, 120)} » n’est pas dans cette collection.`)
    if (frame?.product !== collection) throw none()
    const span = { startMs: frame.timeMs, endMs: frame.timeMs + 1 }
    const live = await (await this.context.radar()).isLive(product, span)
    allowLiveOrPeriod(request, live, new Date(span.startMs), new Date(span.endMs))
    if ((await store.index.newestTimes(product, span, 1)).length === 0) throw none()
    return frameItem(product, frame.timeMs, address)
  }

  /** What a search finds: collection after collection, the newest first. @throws BadRequest, NotFound */
  async search(request: FastifyRequest, search: Search): Promise<Page> {
    if (search.ids !== null) return { items: await this.named(request, search, search.ids), next: null }
    const all = (await this.names(request)).filter(
      (name) => search.collections === null || search.collections.includes(name),
    )
    const from = placeOf(search.token, all)
    const items: Item[] = []
    for (const name of all.slice(from.collection)) {
      const after = name === all[from.collection] ? from.after : null
      const wanted = search.limit - items.length
      const found =
        name === RUNS
          ? await this.runsFound(request, search, after ?? 0, wanted)
          : await this.framesFound(request, search, name, after, wanted)
      items.push(...found.items)
      if (found.next !== null) return { items, next: `${name}.${found.next}` }
    }
    return { items, next: null }
  }

  private async framesFound(
    request: FastifyRequest,
    search: Search,
    name: string,
    beforeMs: number | null,
    wanted: number,
  ): Promise<{ items: Item[]; next: number | null }> {
    const store = await this.context.store()
    const product = productNamed(store, name)
    const [west, south, east, north] = boxOf(product.bounds)
    const span = await this.spanOf(request, product, search.time, beforeMs)
    if (span === null || !isThere(search, { west, south, east, north })) return { items: [], next: null }
    const times = await store.index.newestTimes(product, span, wanted + 1)
    const address = publicAddress(request, this.context.deps.config)
    const page = times.slice(0, wanted)
    // A page that is full already begins the next one with all of this collection.
    const last = page.at(-1) ?? span.endMs
    return {
      items: page.map((timeMs) => frameItem(product, timeMs, address)),
      next: times.length > wanted ? last : null,
    }
  }

  /** The part of what was asked for that the caller may see; null for none. */
  private async spanOf(
    { session }: FastifyRequest,
    product: StoredProduct,
    asked: Asked,
    beforeMs: number | null,
  ): Promise<Span | null> {
    // What was made of the archive has no live window.
    if (session === null && product.made) return null
    const own =
      session === null
        ? await (await this.context.radar()).liveSpan(product)
        : { startMs: session.restriction?.start?.getTime(), endMs: session.restriction?.end?.getTime() }
    const extent = await extentOf(await this.context.store(), product)
    if (extent === null) return null
    const [fromMs, toMs] =
      asked === null
        ? [null, null]
        : 'instantMs' in asked
          ? [asked.instantMs, asked.instantMs + 1]
          : [asked.startMs, asked.endMs === null ? null : asked.endMs + 1]
    const startMs = Math.max(extent.firstMs, own.startMs ?? extent.firstMs, fromMs ?? extent.firstMs)
    const newest = extent.newestMs + 1
    const endMs = Math.min(newest, own.endMs ?? newest, toMs ?? newest, beforeMs ?? newest)
    return startMs < endMs ? { startMs, endMs } : null
  }

  private async runsFound(
    request: FastifyRequest,
    search: Search,
    offset: number,
    wanted: number,
  ): Promise<{ items: Item[]; next: number | null }> {
    const found = (await this.runs(request)).filter((run) => isRunFound(search, run))
    const address = publicAddress(request, this.context.deps.config)
    const page = found.slice(offset, offset + wanted)
    return {
      items: page.map((run) => runItem(run, address)),
      next: offset + wanted < found.length ? offset + wanted : null,
    }
  }

  /** Items of these ids that are there, the caller's to see, and what else the search asks for. */
  private async named(request: FastifyRequest, search: Search, ids: readonly string[]): Promise<Item[]> {
    const items: Item[] = []
    const runs = request.session !== null && ids.some((id) => UUID.test(id)) ? await this.runs(request) : []
    const address = publicAddress(request, this.context.deps.config)
    const store = await this.context.store()
    const isWanted = (name: string) => search.collections === null || search.collections.includes(name)
    for (const id of new Set(ids)) {
      const run = runs.find((one) => one.id === id)
      if (run && isWanted(RUNS) && isRunFound(search, run)) items.push(runItem(run, address))
      const frame = frameOfId(id)
      if (frame === null || !isWanted(frame.product) || !store.catalog.products.has(frame.product)) continue
      const { timeMs } = frame
      if (!isOfTime({ startMs: timeMs, endMs: timeMs }, search.time)) continue
      const only = { ...search, time: { instantMs: timeMs } }
      items.push(...(await this.framesFound(request, only, frame.product, null, 1)).items)
    }
    return items.slice(0, search.limit)
  }

  private runs(request: FastifyRequest): Promise<FinishedRun[]> {
    return finishedRuns(this.context.deps.db, sessionOf(request), RUNS_MAX)
  }
}

function sessionOf(request: FastifyRequest) {
  if (request.session === null) throw new Unauthenticated(bearerToken(request) !== undefined)
  return request.session
}

function productNamed({ catalog }: Store, id: string): StoredProduct {
  const product = catalog.products.get(id)
  if (product) return product
  throw new NotFound(`La collection « ${id.slice(0, 80)} » n’existe pas.`)
}

/** Whether an item of a box is of the ground that is looked for. */
function isThere({ boxes, intersects }: Search, box: Box): boolean {
  if (intersects !== null) return meets(intersects, [box])
  return (
    boxes === null ||
    boxes.some(
      ({ west, south, east, north }) =>
        west <= box.east && east >= box.west && south <= box.north && north >= box.south,
    )
  )
}

function isRunFound(search: Search, run: FinishedRun): boolean {
  const box = boxOfRun(run)
  const hasGround = search.boxes !== null || search.intersects !== null
  if (hasGround && box === null) return false
  const [west, south, east, north] = box ?? WORLD
  return isThere(search, { west, south, east, north }) && isOfTime(timeOfRun(run), search.time)
}

/** Where a page begins: a collection, and what of it came before. @throws BadRequest for what no page gave out */
function placeOf(
  token: string | null,
  names: readonly string[],
): { collection: number; after: number | null } {
  if (token === null) return { collection: 0, after: null }
  const found = /^(.{1,100})\.(\d{1,15})$/.exec(token)
  const collection = found ? names.indexOf(found[1]) : -1
  if (!found || collection < 0)
    throw new BadRequest('cursor', 'token', 'Cette suite de liste est inconnue. Reprendre au début.')
  return { collection, after: Number(found[2]) }
}
