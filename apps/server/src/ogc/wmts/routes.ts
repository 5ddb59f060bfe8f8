import { shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { NEWEST, share } from '../../http/caching.ts'
import type { OgcContext } from '../context.ts'
import { momentOfTime } from '../frames/moments.ts'
import { type FramePictures, STYLES, styleNamed } from '../frames/pictures.ts'
import { tilePlace, tileWindow } from '../frames/tiles.ts'
import { publicAddress } from '../public-address.ts'
import { answerFailures } from '../xml-failures.ts'
import { capabilities, TILE_MATRIX_SET } from './capabilities.ts'
import { EXCEPTION_TYPE, exceptionReport, WmtsError } from './exception.ts'

const DESCRIPTION =
  'WMTS 1.0.0. REQUEST : GetCapabilities, GetTile. TILEMATRIXSET : WebMercatorQuad, niveaux 0 à 18 ; TIME : instant ISO ' +
  '8601, intervalle ou current. Sans jeton : les trois dernières heures. Les erreurs sont des ows:ExceptionReport.'

/** A tile as either way of asking names it. */
interface TileAsked {
  layer: string
  style: string
  time: string
  tileMatrixSet: string
  tileMatrix: string
  tileRow: string
  tileCol: string
}

/** Frames as a web map tile service (OGC 07-057r7), by keys and by addresses. */
export function registerWmts(app: App, context: OgcContext, pictures: FramePictures): void {
  answerFailures(app, EXCEPTION_TYPE, exceptionReport)
  const wmts = new WmtsService(context, pictures)
  app.get(
    '/ogc/wmts',
    {
      schema: {
        summary: 'Tuiles du radar par WMTS',
        description: DESCRIPTION,
        tags: ['ogc'],
        querystring: z.record(shortText(), z.union([shortText(), z.array(shortText()).max(8)])),
      },
    },
    async (request, reply) => {
      const asked = parametersOf(request.query)
      if ((asked('SERVICE') ?? 'WMTS').toUpperCase() !== 'WMTS')
        throw new WmtsError('InvalidParameterValue', 'SERVICE', 'SERVICE attend WMTS.')
      const needed = (name: string) => {
        const value = asked(name)
        if (value !== undefined && value !== '') return value
        throw new WmtsError('MissingParameterValue', name, `Le paramètre ${name} est attendu.`)
      }
      switch (needed('REQUEST').toLowerCase()) {
        case 'getcapabilities':
          return wmts.capabilities(request, reply)
        case 'gettile': {
          holdVersion(needed('VERSION'))
          holdFormat(needed('FORMAT'))
          return wmts.tile(request, reply, {
            layer: needed('LAYER'),
            style: asked('STYLE') ?? '',
            time: asked('TIME') ?? '',
            tileMatrixSet: needed('TILEMATRIXSET'),
            tileMatrix: needed('TILEMATRIX'),
            tileRow: needed('TILEROW'),
            tileCol: needed('TILECOL'),
          })
        }
        default:
          throw new WmtsError(
            'OperationNotSupported',
            'REQUEST',
            'REQUEST attend GetCapabilities ou GetTile.',
            501,
          )
      }
    },
  )
  app.get(
    '/ogc/wmts/1.0.0/WMTSCapabilities.xml',
    { schema: { summary: 'Ce que sert WMTS', tags: ['ogc'] } },
    (request, reply) => wmts.capabilities(request, reply),
  )
  app.get(
    '/ogc/wmts/1.0.0/:layer/:style/:time/:tileMatrixSet/:tileMatrix/:tileRow/:file',
    {
      schema: {
        summary: 'Une tuile par WMTS, à son adresse',
        description: DESCRIPTION,
        tags: ['ogc'],
        params: z.object({
          layer: shortText(),
          style: shortText(),
          time: shortText(),
          tileMatrixSet: shortText(),
          tileMatrix: shortText(),
          tileRow: shortText(),
          file: shortText(),
        }),
      },
    },
    (request, reply) => {
      const { file, ...place } = request.params
      const [tileCol, ending] = file.split('.')
      if (ending !== 'png') holdFormat(`image/${ending ?? ''}`)
      return wmts.tile(request, reply, { ...place, tileCol })
    },
  )
}

class WmtsService {
  private readonly context: OgcContext
  private readonly pictures: FramePictures

  constructor(context: OgcContext, pictures: FramePictures) {
    this.context = context
    this.pictures = pictures
  }

  async capabilities(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { site, config } = this.context.deps
    const layers = await this.pictures.layers(request)
    request.periodChecked = true
    share(request, reply, NEWEST)
    reply.type('text/xml; charset=utf-8')
    return capabilities(site, layers, publicAddress(request, config))
  }

  async tile(request: FastifyRequest, reply: FastifyReply, asked: TileAsked): Promise<Buffer> {
    const { catalog } = await this.context.store()
    const product = catalog.products.get(asked.layer)
    const wrong = (locator: string, words: string) => new WmtsError('InvalidParameterValue', locator, words)
    if (!product)
      throw wrong('LAYER', `LAYER attend un produit : ${[...catalog.products.keys()].join(', ')}.`)
    const style = styleNamed(asked.style)
    if (!style) throw wrong('STYLE', `Styles : ${STYLES.map(({ name }) => name).join(', ')}.`)
    if (asked.tileMatrixSet !== TILE_MATRIX_SET)
      throw wrong('TILEMATRIXSET', `TILEMATRIXSET attend ${TILE_MATRIX_SET}.`)
    const moment = momentOfTime(asked.time)
    if (moment === undefined)
      throw wrong('TIME', 'TIME attend un instant ISO 8601, un intervalle début/fin, ou current.')
    const place = tilePlace(asked.tileMatrix, asked.tileRow, asked.tileCol)
    if (!place) throw new WmtsError('TileOutOfRange', 'TILEROW', 'Cette tuile n’est pas dans le découpage.')
    const none = (words: string) => new WmtsError('InvalidParameterValue', 'TIME', words, 404)
    return this.pictures.draw(request, reply, {
      ...{ product, moment, window: tileWindow(place), ground: null, style, none },
    })
  }
}

/** Keys are of any case. @throws WmtsError for one that is given twice */
function parametersOf(query: Record<string, unknown>): (name: string) => string | undefined {
  const named = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const key = name.toUpperCase()
    if (typeof value !== 'string' || named.has(key))
      throw new WmtsError('InvalidParameterValue', key.slice(0, 80), `${key} est donné deux fois.`)
    named.set(key, value)
  }
  return (name) => named.get(name)
}

function holdVersion(version: string): void {
  if (version !== '1.0.0') throw new WmtsError('InvalidParameterValue', 'VERSION', 'VERSION attend 1.0.0.')
}

function holdFormat(format: string): void {
  if (format.toLowerCase() !== 'image/png')
    throw new WmtsError('InvalidParameterValue', 'FORMAT', 'FORMAT attend image/png.')
}
