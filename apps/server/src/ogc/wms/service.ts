import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { allowLiveOrPeriod, allowPeriod, bearerToken } from '../../http/authorize.ts'
import { keepPrivate, NEWEST, SELDOM, share } from '../../http/caching.ts'
import { Unauthenticated } from '../../http/errors.ts'
import { allowGauge } from '../../http/gauge-rights.ts'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { FramePlace } from '../../store/frame-reader.ts'
import type { Store } from '../../store/open-store.ts'
import { extentOf, type OgcContext } from '../context.ts'
import { publicAddress } from '../public-address.ts'
import { wmsPicture, wmsPictureAnswer } from './answers.ts'
import { capabilities, STYLES, type WmsLayer } from './capabilities.ts'
import { EXCEPTION_TYPE, WmsError } from './exception.ts'
import { legendPng } from './legend.ts'
import { background, type MapWindow, mapWindow, needed, timeOf, type WmsParameters } from './request.ts'

/** Frames before and after a moment that are looked at for the one nearest to it, s: within it a frame stands for the moment. */
const NEAR_S = 15 * 60
/** Pictures that are kept, so that the same one is drawn once. */
const KEPT_BYTES = 32 * 2 ** 20
/** Larger pictures than a tile are painted in a thread: nobody needs to be signed in, and a million pixels take 20 ms. */
const SMALL_PIXELS = 65_536

/** What a web map service answers (OGC 06-042), request by request. */
export class WmsService {
  private readonly context: OgcContext
  private readonly pictures = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  })
  private readonly legends = new Map<boolean, Buffer>()

  constructor(context: OgcContext) {
    this.context = context
  }

  async capabilities(request: FastifyRequest, reply: FastifyReply, version: string): Promise<string> {
    const { site, config } = this.context.deps
    const store = await this.context.store()
    const layers = await Promise.all(
      [...store.catalog.products.values()].map((product) => this.layer(store, product, request)),
    )
    request.periodChecked = true
    share(request, reply, NEWEST)
    reply.type(EXCEPTION_TYPE)
    return capabilities(site, layers, publicAddress(request, config), version)
  }

  /** Anonymous callers are told of the live window, others of what their dates let them see. */
  private async layer(store: Store, product: StoredProduct, request: FastifyRequest): Promise<WmsLayer> {
    const extent = await extentOf(store, product)
    if (extent === null) return { product, times: null }
    const { firstMs, newestMs } = extent
    if (request.session === null) {
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

  async map(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: WmsParameters,
    version: string,
  ): Promise<Buffer> {
    const style = styleNamed(asked.get('STYLES') ?? '')
    const format = (asked.get('FORMAT') ?? 'image/png').toLowerCase()
    if (!format.startsWith('image/png'))
      throw new WmsError('InvalidFormat', `Le format ${format} n'est pas servi : image/png.`)
    const window = mapWindow(asked, version)
    const transparent = (asked.get('TRANSPARENT') ?? 'FALSE').toUpperCase() === 'TRUE'
    const ground = transparent ? null : background(asked)
    const picture = { window, ground, noData: style === 'classes' }
    reply.type('image/png')
    const isLarge = window.width * window.height > SMALL_PIXELS
    return isLarge
      ? this.context.answers.prepare(request, () => this.picture(request, reply, asked, picture, isLarge))
      : this.picture(request, reply, asked, picture, isLarge)
  }

  private async picture(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: WmsParameters,
    { window, ...look }: { window: MapWindow; ground: string | null; noData: boolean },
    isLarge: boolean,
  ): Promise<Buffer> {
    const store = await this.context.store()
    const product = layerNamed(store, needed(asked, 'LAYERS'))
    const frame = await this.frame(store, product, asked)
    const live = await this.allow(request, product, frame.timeMs)
    await this.keep(request, reply, product, { asked, frame, live })
    reply.header('radx-time', iso(frame.timeMs))
    const picture = {
      ...{ p: product.shortName, timeMs: frame.timeMs, ...look },
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

  /** Value of the cell under a pixel: exact, so a matter of the rule of gauges. */
  async info(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: WmsParameters,
    version: string,
  ): Promise<string> {
    const session = request.session
    if (!session) throw new Unauthenticated(bearerToken(request) !== undefined)
    const store = await this.context.store()
    const product = layerNamed(store, needed(asked, 'QUERY_LAYERS'))
    const window = mapWindow(asked, version)
    const old = version.startsWith('1.1')
    const [i, j] = (old ? ['X', 'Y'] : ['I', 'J']).map((name) => Number(needed(asked, name)))
    const inside = Number.isInteger(i) && Number.isInteger(j) && i >= 0 && j >= 0
    if (!inside || i >= window.width || j >= window.height)
      throw new WmsError('InvalidPoint', 'Le point demandé est hors de l’image.')
    const x = window.west + ((i + 0.5) / window.width) * (window.east - window.west)
    const y = window.north - ((j + 0.5) / window.height) * (window.north - window.south)
    const [lng, lat] = window.crs.toLngLat(x, y)
    const frame = await this.frame(store, product, asked)
    allowPeriod(request, new Date(frame.timeMs), new Date(frame.timeMs + 1))
    await allowGauge(this.context.deps.db, session, { lat, lng }, this.context.deps.catchments)
    keepPrivate(reply)
    const service = await this.context.radar()
    const span = { startMs: frame.timeMs, endMs: frame.timeMs + 1 }
    const { radarData } = await service.pixel(product, { lat, lng }, span)
    const value = radarData[0]?.value ?? null
    const time = iso(frame.timeMs)
    if ((asked.get('INFO_FORMAT') ?? 'text/plain').toLowerCase().startsWith('application/json')) {
      reply.type('application/json; charset=utf-8')
      return JSON.stringify({ layer: product.shortName, time, lat, lng, rateMmH: value })
    }
    reply.type('text/plain; charset=utf-8')
    return `${product.shortName} ${time}\n${value === null ? 'sans donnée' : `${value} mm/h`}\n`
  }

  async legend(request: FastifyRequest, reply: FastifyReply, asked: WmsParameters): Promise<Buffer> {
    layerNamed(await this.context.store(), needed(asked, 'LAYER'))
    const noData = styleNamed(asked.get('STYLE') ?? '') === 'classes'
    const png = this.legends.get(noData) ?? Buffer.from(legendPng(noData))
    this.legends.set(noData, png)
    request.periodChecked = true
    share(request, reply, SELDOM)
    reply.type('image/png')
    return png
  }

  /** The frame that stands for the moment: the newest of an interval, else the nearest within a quarter of an hour. */
  private async frame(store: Store, product: StoredProduct, asked: WmsParameters): Promise<FramePlace> {
    const time = timeOf(asked)
    const newestMs = time === null ? await store.index.latest(product) : null
    const atMs = time?.atMs ?? newestMs
    if (atMs === null) throw new WmsError('InvalidDimensionValue', 'Ce produit n’a aucune image.', 404)
    const near = NEAR_S * 1000
    const startMs = Math.max(time?.fromMs ?? atMs - near, atMs - near)
    const endMs = time?.fromMs === null ? atMs + near + 1 : atMs + 1
    const places = await store.index.places(product, { startMs, endMs })
    const distance = ({ timeMs }: FramePlace) => Math.abs(timeMs - atMs)
    const nearest = places.reduce<FramePlace | null>(
      (best, place) => (best === null || distance(place) <= distance(best) ? place : best),
      null,
    )
    if (nearest === null)
      throw new WmsError('InvalidDimensionValue', `Aucune image de ${product.shortName} à ce moment.`, 404)
    return nearest
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
    { asked, frame, live }: { asked: WmsParameters; frame: FramePlace; live: boolean },
  ): Promise<void> {
    const named = timeOf(asked)
    const exact = named !== null && named.atMs === frame.timeMs && named.fromMs === null
    if (!live) keepPrivate(reply)
    else if (exact) {
      const radar = await this.context.radar()
      share(request, reply, { seconds: radar.secondsOpen(product, frame.timeMs) })
    } else share(request, reply, NEWEST)
  }
}

function layerNamed({ catalog }: Store, name: string): StoredProduct {
  const product = catalog.products.get(name)
  if (product) return product
  throw new WmsError(
    'LayerNotDefined',
    `La couche « ${name.slice(0, 80)} » n'existe pas ; une seule par image : ${[...catalog.products.keys()].join(', ')}.`,
    404,
  )
}

function styleNamed(name: string): (typeof STYLES)[number]['name'] {
  const style = name === '' || name === 'default' ? STYLES[0] : STYLES.find((one) => one.name === name)
  if (style) return style.name
  throw new WmsError('StyleNotDefined', `Styles : ${STYLES.map((one) => one.name).join(', ')}.`)
}
