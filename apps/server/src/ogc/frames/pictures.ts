import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { allowLiveOrPeriod } from '../../http/authorize.ts'
import { keepPrivate, NEWEST, share } from '../../http/caching.ts'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { FramePlace } from '../../store/frame-reader.ts'
import type { Store } from '../../store/open-store.ts'
import { extentOf, type OgcContext } from '../context.ts'
import { wmsPicture, wmsPictureAnswer } from '../wms/answers.ts'
import type { MapWindow } from '../wms/request.ts'

/** Frames before and after a moment that are looked at for the one nearest to it, s: within it a frame stands for the moment. */
const NEAR_MS = 15 * 60_000
/** Pictures that are kept, so that the same one is drawn once. */
const KEPT_BYTES = 32 * 2 ** 20
/** Larger pictures than a tile are painted in a thread: nobody needs to be signed in, and a million pixels take 20 ms. */
const SMALL_PIXELS = 65_536

export const STYLES = [
  { name: 'classes', title: 'Classes d’intensité, sol non vu en gris' },
  { name: 'classes-sans-gris', title: 'Classes d’intensité seules' },
] as const
export type StyleName = (typeof STYLES)[number]['name']

/** The style of a name, or the usual one where none is said; null for an unknown one. */
export const styleNamed = (name: string): StyleName | null =>
  name === '' || name === 'default' ? STYLES[0].name : (STYLES.find((one) => one.name === name)?.name ?? null)

/** An instant, or the newest frame of an interval that ends with it; null for the newest frame that there is. */
export type Moment = { atMs: number; fromMs: number | null } | null

/** A product with the frames that the caller may ask for. */
export interface FrameLayer {
  product: StoredProduct
  /** Instants of the live window, ms, or the whole archive by its ends and nominal step. */
  times: { listMs: number[] } | { firstMs: number; lastMs: number; stepS: number } | null
}

export interface PictureAsked {
  product: StoredProduct
  moment: Moment
  window: MapWindow
  /** `#rrggbb`; null for a picture that lets what lies below through. */
  ground: string | null
  style: StyleName
  /** How the standard that asks says that there is no such frame. */
  none(messageFr: string): Error
}

/** Pictures of frames in classes of intensity, drawn once for every standard that asks for them. */
export class FramePictures {
  private readonly context: OgcContext
  private readonly pictures = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  })

  constructor(context: OgcContext) {
    this.context = context
  }

  /** Anonymous callers are told of the live window, others of what their dates let them see. */
  async layers(request: FastifyRequest): Promise<FrameLayer[]> {
    const store = await this.context.store()
    return Promise.all(
      [...store.catalog.products.values()].map((product) => this.layer(store, product, request)),
    )
  }

  async layer(store: Store, product: StoredProduct, request: FastifyRequest): Promise<FrameLayer> {
    const extent = await extentOf(store, product)
    if (extent === null) return { product, times: null }
    const { firstMs, newestMs } = extent
    if (request.session === null) {
      if (product.made) return { product, times: null }
      const radar = await this.context.radar()
      const places = await store.index.places(product, await radar.liveSpan(product))
      return { product, times: { listMs: places.map(({ timeMs }) => timeMs) } }
    }
    const { start, end } = request.session.restriction ?? { start: null, end: null }
    const from = Math.max(firstMs, start?.getTime() ?? firstMs)
    const last = Math.min(newestMs, (end?.getTime() ?? newestMs + 1) - 1)
    return {
      product,
      times: from > last ? null : { firstMs: from, lastMs: last, stepS: product.frameSeconds },
    }
  }

  /** A picture as PNG, with its moment and how long it may be kept in the reply's headers. @throws Unauthenticated, Forbidden */
  async draw(request: FastifyRequest, reply: FastifyReply, asked: PictureAsked): Promise<Buffer> {
    const isLarge = asked.window.width * asked.window.height > SMALL_PIXELS
    return isLarge
      ? this.context.answers.prepare(request, () => this.drawn(request, reply, asked, isLarge))
      : this.drawn(request, reply, asked, isLarge)
  }

  private async drawn(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: PictureAsked,
    isLarge: boolean,
  ): Promise<Buffer> {
    const { product, window, ground, style } = asked
    const store = await this.context.store()
    const frame = await this.frame(request, store, asked)
    const live = await this.allow(request, product, frame.timeMs)
    await this.keep(request, reply, product, { moment: asked.moment, frame, live })
    reply.header('radx-time', iso(frame.timeMs)).type('image/png')
    const picture = {
      ...{ p: product.shortName, timeMs: frame.timeMs, ground, noData: style === 'classes' },
      window: { ...window, crs: window.crs.code },
    }
    const key = `${JSON.stringify(picture)} ${frame.classes?.crc} ${frame.blankId}`
    const known = this.pictures.get(key)
    if (known) return known
    const png = Buffer.from(
      isLarge
        ? (await this.context.answers.make(wmsPictureAnswer, picture, request)).body
        : await wmsPicture(store, picture),
    )
    this.pictures.set(key, png)
    return png
  }

  /** The frame that stands for the moment: the newest of an interval, else the nearest within a quarter of an hour. */
  async frame(
    request: FastifyRequest,
    store: Store,
    { product, moment, none }: Pick<PictureAsked, 'product' | 'moment' | 'none'>,
  ): Promise<FramePlace> {
    const atMs = moment === null ? await store.index.latest(product) : moment.atMs
    if (atMs === null) {
      request.periodChecked = true
      throw none('Ce produit n’a aucune image.')
    }
    const fromMs = moment?.fromMs ?? null
    const startMs = Math.max(fromMs ?? atMs - NEAR_MS, atMs - NEAR_MS)
    const endMs = fromMs === null ? atMs + NEAR_MS + 1 : atMs + 1
    const places = await store.index.places(product, { startMs, endMs })
    const distance = ({ timeMs }: FramePlace) => Math.abs(timeMs - atMs)
    const nearest = places.reduce<FramePlace | null>(
      (best, place) => (best === null || distance(place) <= distance(best) ? place : best),
      null,
    )
    if (nearest !== null) return nearest
    // That nothing is there is told to whom something would be shown.
    const radar = await this.context.radar()
    const live = await radar.isLive(product, { startMs: atMs, endMs: atMs + 1 })
    allowLiveOrPeriod(request, live, new Date(fromMs ?? atMs), new Date(fromMs === null ? atMs + 1 : atMs))
    throw none(`Aucune image de ${product.shortName} à ce moment.`)
  }

  private async allow(request: FastifyRequest, product: StoredProduct, timeMs: number): Promise<boolean> {
    const radar = await this.context.radar()
    const live = await radar.isLive(product, { startMs: timeMs, endMs: timeMs + 1 })
    allowLiveOrPeriod(request, live, new Date(timeMs), new Date(timeMs + 1))
    return live
  }

  /** What has its moment in the address is kept while it is everyone's; what follows the newest frame, seconds. */
  private async keep(
    request: FastifyRequest,
    reply: FastifyReply,
    product: StoredProduct,
    { moment, frame, live }: { moment: Moment; frame: FramePlace; live: boolean },
  ): Promise<void> {
    const exact = moment !== null && moment.atMs === frame.timeMs && moment.fromMs === null
    if (!live) keepPrivate(reply)
    else if (exact) {
      const radar = await this.context.radar()
      share(request, reply, { seconds: radar.secondsOpen(product, frame.timeMs) })
    } else share(request, reply, NEWEST)
  }
}
