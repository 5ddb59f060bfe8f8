import { shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { NEWEST, SELDOM, share } from '../../http/caching.ts'
import type { OgcContext } from '../context.ts'
import { publicAddress } from '../public-address.ts'
import { itemsQuery, searchBody, searchOf, searchOfQuery, searchQuery } from './asked.ts'
import { type Page, StacCatalogue } from './catalogue.ts'
import { catalogue, collectionOf, collectionsOf, conformance, GEOJSON_TYPE, itemsPage } from './documents.ts'

const tags = ['ogc']
const inCollection = z.object({ id: shortText() })
const SEARCH_FR =
  'bbox ou intersects (Point, LineString, Polygon, MultiPolygon), datetime, collections, ids, limit (500 au plus), token. ' +
  'Sans jeton d’accès : les images des trois dernières heures.'

/** Frames and finished runs as a catalogue by STAC 1.0.0, core, collections and item search. */
export function registerStac(app: App, context: OgcContext): void {
  const stac = new StacCatalogue(context)
  registerDescriptions(app, context, stac)
  registerItems(app, context, stac)
  registerSearch(app, context, stac)
}

function registerDescriptions(app: App, { deps, answers }: OgcContext, stac: StacCatalogue): void {
  const address = (request: FastifyRequest) => publicAddress(request, deps.config)
  app.get('/ogc/stac', { schema: { summary: 'Catalogue STAC', tags } }, async (request, reply) => {
    const names = await stac.names(request)
    share(request, reply, SELDOM)
    return catalogue(deps.site.name, names, address(request))
  })
  app.get(
    '/ogc/stac/conformance',
    { schema: { summary: 'Classes de conformité du catalogue STAC', tags } },
    (request, reply) => {
      share(request, reply, SELDOM)
      return conformance
    },
  )
  app.get(
    '/ogc/stac/collections',
    { schema: { summary: 'Collections du catalogue STAC : produits du radar, simulations', tags } },
    (request, reply) =>
      answers.prepare(request, async () => {
        const names = await stac.names(request)
        const all = await Promise.all(names.map((name) => stac.describe(request, name)))
        share(request, reply, SELDOM)
        return collectionsOf(all, address(request))
      }),
  )
  app.get(
    '/ogc/stac/collections/:id',
    { schema: { summary: 'Une collection du catalogue STAC', tags, params: inCollection } },
    (request, reply) =>
      answers.prepare(request, async () => {
        const described = await stac.describe(request, request.params.id)
        share(request, reply, SELDOM)
        return collectionOf(described, address(request))
      }),
  )
}

function registerItems(app: App, context: OgcContext, stac: StacCatalogue): void {
  app.get(
    '/ogc/stac/collections/:id/items',
    {
      schema: {
        summary: 'Images d’un produit, ou simulations, page par page (STAC)',
        description: SEARCH_FR,
        tags,
        params: inCollection,
        querystring: itemsQuery,
      },
    },
    (request, reply) =>
      context.answers.prepare(request, async () => {
        const { id } = request.params
        // An unknown one is refused, not found empty.
        await stac.describe(request, id)
        const search = { ...searchOfQuery(request.query), collections: [id] }
        return sendPage(context, request, reply, await stac.search(request, search))
      }),
  )
  app.get(
    '/ogc/stac/collections/:id/items/:item',
    {
      schema: {
        summary: 'Une image ou une simulation (STAC)',
        tags,
        params: inCollection.extend({ item: shortText() }),
      },
    },
    (request, reply) =>
      context.answers.prepare(request, async () => {
        const { id, item } = request.params
        const found = await stac.item(request, id, item)
        request.periodChecked = true
        share(request, reply, NEWEST)
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(found))
      }),
  )
}

function registerSearch(app: App, context: OgcContext, stac: StacCatalogue): void {
  const described = { description: SEARCH_FR, tags }
  app.get(
    '/ogc/stac/search',
    { schema: { summary: 'Recherche dans le catalogue STAC', ...described, querystring: searchQuery } },
    (request, reply) =>
      context.answers.prepare(request, async () =>
        sendPage(context, request, reply, await stac.search(request, searchOfQuery(request.query))),
      ),
  )
  app.post(
    '/ogc/stac/search',
    {
      schema: { summary: 'Recherche dans le catalogue STAC, par formulaire', ...described, body: searchBody },
    },
    (request, reply) =>
      context.answers.prepare(request, async () =>
        sendPage(context, request, reply, await stac.search(request, searchOf(request.body))),
      ),
  )
}

/** A page with the way to the next: an address, or the body to send again. */
function sendPage({ deps }: OgcContext, request: FastifyRequest, reply: FastifyReply, { items, next }: Page) {
  const address = publicAddress(request, deps.config)
  const { pathname, searchParams } = new URL(request.url, address)
  const self = `${address}${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`
  const following = () => {
    if (request.method === 'POST')
      return {
        ...{ href: `${address}${pathname}`, rel: 'next', type: GEOJSON_TYPE, method: 'POST' },
        body: { ...(request.body as object), token: next },
      }
    searchParams.set('token', String(next))
    return { href: `${address}${pathname}?${searchParams}`, rel: 'next', type: GEOJSON_TYPE, method: 'GET' }
  }
  request.periodChecked = true
  share(request, reply, NEWEST)
  return reply
    .type(GEOJSON_TYPE)
    .send(JSON.stringify(itemsPage(items, self, next === null ? null : following(), address)))
}
