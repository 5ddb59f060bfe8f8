import { shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { keepPrivate, SELDOM, share } from '../../http/caching.ts'
import { BadRequest, NotFound } from '../../http/errors.ts'
import type { OgcContext } from '../context.ts'
import { askedTime } from '../features/query.ts'
import { momentOfDatetime } from '../frames/moments.ts'
import { type FramePictures, type Moment, STYLES } from '../frames/pictures.ts'
import { tilePlace, tileWindow } from '../frames/tiles.ts'
import { publicAddress } from '../public-address.ts'
import type { MapWindow } from '../wms/request.ts'
import {
  CONFORMANCE,
  collectionOf,
  landing,
  matrixSet,
  matrixSets,
  TILE_MATRIX_SET,
  tileset,
  tilesets,
} from './documents.ts'
import { drawRun, type Mapped, mappedList, mappedNamed } from './mapped.ts'
import { mapQuery, windowOf } from './window.ts'

const tags = ['ogc']
const inCollection = z.object({ id: shortText() })
const inSet = inCollection.extend({ tileMatrixSet: shortText() })
const [{ name: STYLE }] = STYLES

/** Pictures of frames by OGC API Maps (20-058) and Tiles (20-057). */
export function registerMaps(app: App, context: OgcContext, pictures: FramePictures): void {
  registerDescriptions(app, context)
  registerSets(app, context)
  registerPictures(app, context, pictures)
}

function registerDescriptions(app: App, context: OgcContext): void {
  const { deps } = context
  const told = (summary: string) => ({ schema: { summary, tags } })
  const address = (request: FastifyRequest) => publicAddress(request, deps.config)
  app.get('/ogc/maps', told('Accueil de OGC API Maps et Tiles'), (request, reply) => {
    share(request, reply, SELDOM)
    return landing(address(request))
  })
  app.get(
    '/ogc/maps/conformance',
    told('Classes de conformité de OGC API Maps et Tiles'),
    (request, reply) => {
      share(request, reply, SELDOM)
      return { conformsTo: CONFORMANCE }
    },
  )
  app.get('/ogc/maps/collections', told('Produits du radar, par OGC API Maps'), async (request, reply) => {
    const collections = (await mappedList(context, request)).map((one) => collectionOf(one, address(request)))
    shareProducts(request, reply)
    const self = { href: `${address(request)}/ogc/maps/collections`, rel: 'self', type: 'application/json' }
    return { links: [self], collections }
  })
  app.get(
    '/ogc/maps/collections/:id',
    { schema: { summary: 'Un produit du radar, par OGC API Maps', tags, params: inCollection } },
    async (request, reply) => {
      const mapped = await described(context, request, reply, request.params.id)
      return collectionOf(mapped, address(request))
    },
  )
}

function registerSets(app: App, context: OgcContext): void {
  const address = (request: FastifyRequest) => publicAddress(request, context.deps.config)
  app.get(
    '/ogc/maps/tileMatrixSets',
    { schema: { summary: 'Découpages en tuiles qui sont servis', tags } },
    (request, reply) => {
      share(request, reply, SELDOM)
      return matrixSets(address(request))
    },
  )
  app.get(
    '/ogc/maps/tileMatrixSets/:tileMatrixSet',
    {
      schema: {
        summary: 'Un découpage en tuiles',
        tags,
        params: z.object({ tileMatrixSet: shortText() }),
      },
    },
    (request, reply) => {
      holdSet(request.params.tileMatrixSet)
      share(request, reply, SELDOM)
      return matrixSet
    },
  )
  app.get(
    '/ogc/maps/collections/:id/map/tiles',
    { schema: { summary: 'Tuiles d’un produit : leurs découpages', tags, params: inCollection } },
    async (request, reply) => {
      return tilesets(await described(context, request, reply, request.params.id), address(request))
    },
  )
  app.get(
    '/ogc/maps/collections/:id/map/tiles/:tileMatrixSet',
    { schema: { summary: 'Tuiles d’un produit dans un découpage', tags, params: inSet } },
    async (request, reply) => {
      const mapped = await described(context, request, reply, request.params.id)
      holdSet(request.params.tileMatrixSet)
      return tileset(mapped, address(request))
    },
  )
}

function registerPictures(app: App, context: OgcContext, pictures: FramePictures): void {
  const look = { style: STYLE, none: (words: string) => new NotFound(words) } as const
  const draw = (mapped: Mapped, request: FastifyRequest, reply: FastifyReply, asked: Drawn) => {
    const { of } = mapped
    return 'run' in of
      ? drawRun(context, request, reply, { ...mapped, of }, asked)
      : pictures.draw(request, reply, { ...asked, ...look, product: of.product })
  }
  app.get(
    '/ogc/maps/collections/:id/map',
    {
      schema: {
        summary:
          'Une image d’un produit en classes d’intensité, ou de l’eau d’une simulation en classes de hauteur (PNG)',
        description:
          'bbox et bbox-crs, crs, width et height (4 096 au plus), datetime (instant, ou intervalle dont la dernière image ' +
          'répond), transparent, bgcolor. Sans jeton : les trois dernières heures.',
        tags,
        params: inCollection,
        querystring: mapQuery,
      },
    },
    async (request, reply) => {
      const { query } = request
      holdPng(query.f)
      const moment = momentOfDatetime(askedTime(query.datetime))
      const mapped = await mappedNamed(context, request, request.params.id)
      const window = windowOf(mapped, query)
      const ground = query.transparent === 'true' ? null : `#${query.bgcolor.slice(-6)}`
      return draw(mapped, request, reply, { moment, window, ground })
    },
  )
  app.get(
    '/ogc/maps/collections/:id/map/tiles/:tileMatrixSet/:tileMatrix/:tileRow/:tileCol',
    {
      schema: {
        summary: 'Une tuile d’un produit, ou de l’eau d’une simulation (PNG)',
        description: 'WebMercatorQuad, niveaux 0 à 18. Sans jeton : les trois dernières heures.',
        tags,
        params: inSet.extend({ tileMatrix: shortText(), tileRow: shortText(), tileCol: shortText() }),
        querystring: z.strictObject({ datetime: shortText().optional(), f: shortText().optional() }),
      },
    },
    async (request, reply) => {
      const { id, tileMatrixSet, tileMatrix, tileRow, tileCol } = request.params
      holdPng(request.query.f)
      holdSet(tileMatrixSet)
      const place = tilePlace(tileMatrix, tileRow, tileCol)
      const moment = momentOfDatetime(askedTime(request.query.datetime))
      const mapped = await mappedNamed(context, request, id)
      if (!place) {
        request.periodChecked = true
        throw new NotFound('Cette tuile n’est pas dans le découpage.')
      }
      return draw(mapped, request, reply, { moment, window: tileWindow(place), ground: null })
    },
  )
}

interface Drawn {
  moment: Moment
  window: MapWindow
  ground: string | null
}

/** One by name, to be told of: products to everybody, runs to who may see them. */
async function described(
  context: OgcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<Mapped> {
  const mapped = await mappedNamed(context, request, id)
  request.periodChecked = true
  if ('run' in mapped.of) keepPrivate(reply)
  else share(request, reply, SELDOM)
  return mapped
}

/** Who is signed in is told of runs as well. */
function shareProducts(request: FastifyRequest, reply: FastifyReply): void {
  if (request.session === null) share(request, reply, SELDOM)
  else keepPrivate(reply)
}

function holdSet(name: string): void {
  if (name !== TILE_MATRIX_SET)
    throw new NotFound(`Le découpage « ${name.slice(0, 80)} » n'est pas servi : ${TILE_MATRIX_SET}.`)
}

function holdPng(f: string | undefined): void {
  if (f !== undefined && !/^(image\/)?png$/i.test(f))
    throw new BadRequest('f', 'f', `Le format « ${f} » n'est pas servi ici : png.`)
}
