import { shortText } from '@radx/contracts/bounds'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { SELDOM, share } from '../../http/caching.ts'
import { BadRequest, NotFound } from '../../http/errors.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { extentOf, type OgcContext } from '../context.ts'
import { askedTime } from '../features/query.ts'
import { momentOfDatetime } from '../frames/moments.ts'
import { type FramePictures, STYLES } from '../frames/pictures.ts'
import { tilePlace, tileWindow } from '../frames/tiles.ts'
import { publicAddress } from '../public-address.ts'
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
  const { deps, store } = context
  const described = (summary: string) => ({ schema: { summary, tags } })
  const address = (request: FastifyRequest) => publicAddress(request, deps.config)
  app.get('/ogc/maps', described('Accueil de OGC API Maps et Tiles'), (request, reply) => {
    share(request, reply, SELDOM)
    return landing(address(request))
  })
  app.get(
    '/ogc/maps/conformance',
    described('Classes de conformité de OGC API Maps et Tiles'),
    (request, reply) => {
      share(request, reply, SELDOM)
      return { conformsTo: CONFORMANCE }
    },
  )
  app.get(
    '/ogc/maps/collections',
    described('Produits du radar, par OGC API Maps'),
    async (request, reply) => {
      const opened = await store()
      const collections = await Promise.all(
        [...opened.catalog.products.values()].map(async (product) =>
          collectionOf(product, await extentOf(opened, product), address(request)),
        ),
      )
      share(request, reply, SELDOM)
      const self = { href: `${address(request)}/ogc/maps/collections`, rel: 'self', type: 'application/json' }
      return { links: [self], collections }
    },
  )
  app.get(
    '/ogc/maps/collections/:id',
    { schema: { summary: 'Un produit du radar, par OGC API Maps', tags, params: inCollection } },
    async (request, reply) => {
      const product = await productNamed(context, request.params.id)
      const extent = await extentOf(await store(), product)
      share(request, reply, SELDOM)
      return collectionOf(product, extent, address(request))
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
      const product = await productNamed(context, request.params.id)
      share(request, reply, SELDOM)
      return tilesets(product, address(request))
    },
  )
  app.get(
    '/ogc/maps/collections/:id/map/tiles/:tileMatrixSet',
    { schema: { summary: 'Tuiles d’un produit dans un découpage', tags, params: inSet } },
    async (request, reply) => {
      const product = await productNamed(context, request.params.id)
      holdSet(request.params.tileMatrixSet)
      share(request, reply, SELDOM)
      return tileset(product, address(request))
    },
  )
}

function registerPictures(app: App, context: OgcContext, pictures: FramePictures): void {
  const look = { style: STYLE, none: (words: string) => new NotFound(words) } as const
  app.get(
    '/ogc/maps/collections/:id/map',
    {
      schema: {
        summary: 'Une image d’un produit en classes d’intensité (PNG)',
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
      const product = await productNamed(context, request.params.id)
      const window = windowOf(product, query)
      const ground = query.transparent === 'true' ? null : `#${query.bgcolor.slice(-6)}`
      return pictures.draw(request, reply, { product, moment, window, ground, ...look })
    },
  )
  app.get(
    '/ogc/maps/collections/:id/map/tiles/:tileMatrixSet/:tileMatrix/:tileRow/:tileCol',
    {
      schema: {
        summary: 'Une tuile d’un produit en classes d’intensité (PNG)',
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
      const product = await productNamed(context, id)
      if (!place) {
        request.periodChecked = true
        throw new NotFound('Cette tuile n’est pas dans le découpage.')
      }
      return pictures.draw(request, reply, {
        ...{ product, moment, window: tileWindow(place), ground: null },
        ...look,
      })
    },
  )
}

async function productNamed({ store }: OgcContext, id: string): Promise<StoredProduct> {
  const { catalog } = await store()
  const product = catalog.products.get(id)
  if (product) return product
  throw new NotFound(
    `La collection « ${id.slice(0, 80)} » n'existe pas : ${[...catalog.products.keys()].join(', ')}.`,
  )
}

function holdSet(name: string): void {
  if (name !== TILE_MATRIX_SET)
    throw new NotFound(`Le découpage « ${name.slice(0, 80)} » n'est pas servi : ${TILE_MATRIX_SET}.`)
}

function holdPng(f: string | undefined): void {
  if (f !== undefined && !/^(image\/)?png$/i.test(f))
    throw new BadRequest('f', 'f', `Le format « ${f} » n'est pas servi ici : png.`)
}
