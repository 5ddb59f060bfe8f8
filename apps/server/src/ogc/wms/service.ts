import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowPeriod, bearerToken } from '../../http/authorize.ts'
import { keepPrivate, NEWEST, SELDOM, share } from '../../http/caching.ts'
import { Unauthenticated } from '../../http/errors.ts'
import { allowGauge } from '../../http/gauge-rights.ts'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Store } from '../../store/open-store.ts'
import type { OgcContext } from '../context.ts'
import { type FramePictures, STYLES, type StyleName, styleNamed } from '../frames/pictures.ts'
import { publicAddress } from '../public-address.ts'
import { capabilities } from './capabilities.ts'
import { EXCEPTION_TYPE, WmsError } from './exception.ts'
import { legendPng } from './legend.ts'
import { background, mapWindow, needed, timeOf, type WmsParameters } from './request.ts'

/** What a web map service answers (OGC 06-042), request by request. */
export class WmsService {
  private readonly context: OgcContext
  private readonly pictures: FramePictures
  private readonly legends = new Map<boolean, Buffer>()

  constructor(context: OgcContext, pictures: FramePictures) {
    this.context = context
    this.pictures = pictures
  }

  async capabilities(request: FastifyRequest, reply: FastifyReply, version: string): Promise<string> {
    const { site, config } = this.context.deps
    const layers = await this.pictures.layers(request)
    request.periodChecked = true
    share(request, reply, NEWEST)
    reply.type(EXCEPTION_TYPE)
    return capabilities(site, layers, publicAddress(request, config), version)
  }

  async map(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: WmsParameters,
    version: string,
  ): Promise<Buffer> {
    const style = styleOf(asked.get('STYLES') ?? '')
    const format = (asked.get('FORMAT') ?? 'image/png').toLowerCase()
    if (!format.startsWith('image/png'))
      throw new WmsError('InvalidFormat', `Le format ${format} n'est pas servi : image/png.`)
    const window = mapWindow(asked, version)
    const transparent = (asked.get('TRANSPARENT') ?? 'FALSE').toUpperCase() === 'TRUE'
    const ground = transparent ? null : background(asked)
    const product = layerNamed(await this.context.store(), needed(asked, 'LAYERS'))
    const moment = timeOf(asked)
    return this.pictures.draw(request, reply, { product, moment, window, ground, style, none })
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
    const frame = await this.pictures.frame(request, store, { product, moment: timeOf(asked), none })
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
    const noData = styleOf(asked.get('STYLE') ?? '') === 'classes'
    const png = this.legends.get(noData) ?? Buffer.from(legendPng(noData))
    this.legends.set(noData, png)
    request.periodChecked = true
    share(request, reply, SELDOM)
    reply.type('image/png')
    return png
  }
}

const none = (messageFr: string) => new WmsError('InvalidDimensionValue', messageFr, 404)

function layerNamed({ catalog }: Store, name: string): StoredProduct {
  const product = catalog.products.get(name)
  if (product) return product
  throw new WmsError(
    'LayerNotDefined',
    `La couche « ${name.slice(0, 80)} » n'existe pas ; une seule par image : ${[...catalog.products.keys()].join(', ')}.`,
    404,
  )
}

function styleOf(name: string): StyleName {
  const style = styleNamed(name)
  if (style !== null) return style
  throw new WmsError('StyleNotDefined', `Styles : ${STYLES.map((one) => one.name).join(', ')}.`)
}
