import { shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { keepPrivate, SELDOM, share } from '../../http/caching.ts'
import { NotFound } from '../../http/errors.ts'
import { CatchmentLibrary } from '../../simulation/api.ts'
import type { OgcContext } from '../context.ts'
import { publicAddress } from '../public-address.ts'
import { CONFORMANCE, collectionOf, collectionsOf, GEOJSON_TYPE, landing } from './collections.ts'
import { elementsAnswer } from './elements.ts'
import { OpenCollections, type Opened } from './open.ts'
import { type Feature, type FeaturePage, inSystem, pageOfFeatures } from './page.ts'
import {
  askedTime,
  crsAddress,
  describedQuery,
  featureQuery,
  holdFormat,
  isOfTime,
  itemQuery,
  itemsQuery,
} from './query.ts'

const tags = ['ogc']
const inCollection = z.object({ id: shortText() })
const ITEMS_FR =
  'bbox (ouest,sud,est,nord), bbox-crs, crs (CRS84, EPSG 4326, 3857, 2154 par leur adresse), datetime, limit (1 000 au plus), ' +
  'offset. Collections : catchments pour tous ; avec une session gauges, runs, catchment.ID.nodes, catchment.ID.links, ' +
  'network.ID.nodes, network.ID.links, run.ID.nodes, run.ID.links, run.ID.streets, network-run.ID.nodes, network-run.ID.links.'

/** Features by OGC API - Features 1.0 (OGC 17-069r4) and its part 2 (18-058r1). */
export function registerFeatures(app: App, context: OgcContext): void {
  const { deps } = context
  const collections = new OpenCollections(deps, new CatchmentLibrary(deps.db, deps.config))
  registerDescriptions(app, context, collections)
  registerItems(app, context, collections)
}

function registerDescriptions(app: App, { deps, answers }: OgcContext, collections: OpenCollections): void {
  const described = (summary: string) => ({ schema: { summary, tags, querystring: describedQuery } })
  const address = (request: FastifyRequest) => publicAddress(request, deps.config)
  app.get('/ogc/features', described('Accueil de OGC API Features'), (request, reply) => {
    holdFormat(request.query.f)
    share(request, reply, SELDOM)
    return landing(address(request))
  })
  app.get('/ogc/features/api', described('Description OpenAPI de tous les appels'), (request, reply) => {
    share(request, reply, SELDOM)
    reply.type('application/vnd.oai.openapi+json;version=3.0')
    return JSON.stringify(app.swagger())
  })
  app.get(
    '/ogc/features/conformance',
    described('Classes de conformité de OGC API Features'),
    (request, reply) => {
      holdFormat(request.query.f)
      share(request, reply, SELDOM)
      return { conformsTo: CONFORMANCE }
    },
  )
  app.get(
    '/ogc/features/collections',
    described('Collections d’objets que l’on peut voir, par OGC API Features'),
    async (request, reply) => {
      holdFormat(request.query.f)
      const all = await answers.prepare(request, () => collections.list(request))
      share(request, reply, SELDOM)
      return collectionsOf(all, address(request))
    },
  )
  app.get(
    '/ogc/features/collections/:id',
    {
      schema: {
        summary: 'Une collection, par OGC API Features',
        tags,
        params: inCollection,
        querystring: describedQuery,
      },
    },
    async (request, reply) => {
      holdFormat(request.query.f)
      const opened = await collections.open(request, request.params.id)
      keep(request, reply, opened)
      return collectionOf(opened, address(request))
    },
  )
}

function registerItems(app: App, { deps, answers }: OgcContext, collections: OpenCollections): void {
  app.get(
    '/ogc/features/collections/:id/items',
    {
      schema: {
        summary: 'Objets d’une collection, page par page (GeoJSON)',
        description: ITEMS_FR,
        tags,
        params: inCollection,
        querystring: itemsQuery,
      },
    },
    (request, reply) =>
      answers.prepare(request, async () => {
        const query = featureQuery(request.query)
        const asked = askedTime(request.query.datetime)
        const opened = await collections.open(request, request.params.id)
        keep(request, reply, opened)
        const { items, time = null } = opened
        const pageOf = async (): Promise<FeaturePage> => {
          if (items.kind === 'features') {
            const all = (await items.list()).filter(({ time: own }) => isOfTime(own, asked))
            return pageOfFeatures(
              all.map(({ feature }) => feature),
              query,
            )
          }
          if (!isOfTime(time, asked)) return { features: '[]', matched: 0, returned: 0 }
          return answers.make(elementsAnswer, { source: items.source, query }, request)
        }
        const { features, matched, returned } = await pageOf()
        const head = {
          type: 'FeatureCollection',
          timeStamp: new Date(deps.clock.now()).toISOString(),
          numberMatched: matched,
          numberReturned: returned,
          links: pageLinks(request, publicAddress(request, deps.config), query, matched),
        }
        return reply
          .type(GEOJSON_TYPE)
          .header('content-crs', `<${query.crs}>`)
          .send(`${JSON.stringify(head).slice(0, -1)},"features":${features}}`)
      }),
  )
  app.get(
    '/ogc/features/collections/:id/items/:item',
    {
      schema: {
        summary: 'Un objet d’une collection (GeoJSON)',
        tags,
        params: inCollection.extend({ item: shortText() }),
        querystring: itemQuery,
      },
    },
    (request, reply) =>
      answers.prepare(request, async () => {
        holdFormat(request.query.f)
        const crs = crsAddress(request.query.crs)
        const { id, item } = request.params
        const opened = await collections.open(request, id)
        keep(request, reply, opened)
        const { items } = opened
        const found =
          items.kind === 'features'
            ? inSystem(await itemOf(items, item), crs)
            : (JSON.parse(
                (await answers.make(elementsAnswer, { source: items.source, id: item, crs }, request))
                  .features,
              ) as Feature)
        const collection = `${publicAddress(request, deps.config)}/ogc/features/collections/${encodeURIComponent(id)}`
        const links = [
          { href: `${collection}/items/${encodeURIComponent(item)}`, rel: 'self', type: GEOJSON_TYPE },
          { href: collection, rel: 'collection', type: 'application/json' },
          ...(found.links ?? []),
        ]
        return reply
          .type(GEOJSON_TYPE)
          .header('content-crs', `<${crs}>`)
          .send(JSON.stringify({ ...found, links }))
      }),
  )
}

async function itemOf(items: Extract<Opened['items'], { kind: 'features' }>, id: string): Promise<Feature> {
  const found = items.find
    ? await items.find(id)
    : ((await items.list()).find(({ feature }) => feature.id === id)?.feature ?? null)
  if (!found) throw new NotFound(`« ${id.slice(0, 80)} » n’est pas dans cette collection.`)
  return found
}

const keep = (request: FastifyRequest, reply: FastifyReply, { isPublic }: Opened): void =>
  isPublic ? share(request, reply, SELDOM) : keepPrivate(reply)

/** This page, and the one after it where there is one. */
function pageLinks(
  request: FastifyRequest,
  address: string,
  { limit, offset }: { limit: number; offset: number },
  matched: number,
) {
  const { pathname, searchParams } = new URL(request.url, address)
  const at = (from: number) => {
    const query = new URLSearchParams(searchParams)
    if (from > 0) query.set('offset', String(from))
    else query.delete('offset')
    return `${address}${pathname}${query.size > 0 ? `?${query}` : ''}`
  }
  const link = (rel: string, from: number) => ({ href: at(from), rel, type: GEOJSON_TYPE })
  return [
    link('self', offset),
    ...(offset + limit < matched ? [link('next', offset + limit)] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
  ]
}
