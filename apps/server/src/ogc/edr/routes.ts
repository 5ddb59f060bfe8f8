import { SERIES_MAX_DAYS } from '@radx/contracts'
import { longText, shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Gauges } from '../../gauges/api.ts'
import type { App } from '../../http/app.ts'
import { allowPeriod } from '../../http/authorize.ts'
import { keepPrivate, SELDOM, share } from '../../http/caching.ts'
import { BadRequest, NotFound } from '../../http/errors.ts'
import { allowGauges } from '../../http/gauge-rights.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import { extentOf, type OgcContext } from '../context.ts'
import { publicAddress } from '../public-address.ts'
import {
  edrGridAnswer,
  edrLocationAnswer,
  edrPositionAnswer,
  FORMATS,
  type Format,
  positionFile,
} from './answers.ts'
import { CONFORMANCE, collectionOf, landing, locationOfGauge, locationsOf } from './collections.ts'
import { RATE } from './coverage.ts'
import { type Geometry, parseBox, parseWkt } from './geometry.ts'
import { parseDatetime, spanOfAsked } from './period.ts'
import { edrTrajectoryAnswer } from './trajectory.ts'

const tags = ['ogc']
/** Places of one call, as for pixel gauges. */
const POINTS_MAX = 12
/** An instant is answered by the frame nearest to it within so long. */
const NEAR_MS = 15 * 60_000
/** A series of one place that is shorter is read at once. */
const SHORT_MS = 3 * 86_400_000

const common = {
  datetime: shortText().optional(),
  'parameter-name': shortText().optional(),
  crs: shortText().optional(),
  f: shortText().optional(),
  z: shortText().optional(),
}
type Common = { [K in keyof typeof common]?: string }
const inCollection = z.object({ id: shortText() })

/** Rain by OGC API Environmental Data Retrieval 1.1 (OGC 19-086r6). */
export function registerEdr(app: App, context: OgcContext): void {
  registerDescriptions(app, context)
  registerSeries(app, context)
  registerGrids(app, context)
  registerTrajectory(app, context)
}

function registerDescriptions(app: App, { deps, store }: OgcContext): void {
  const { config, catchments } = deps
  const described = (summary: string) => ({ schema: { summary, tags } })
  app.get('/ogc/edr', described('Accueil de OGC API EDR'), (request, reply) => {
    share(request, reply, SELDOM)
    return landing(publicAddress(request, config))
  })
  app.get('/ogc/edr/conformance', described('Classes de conformité de OGC API EDR'), (request, reply) => {
    share(request, reply, SELDOM)
    return { conformsTo: CONFORMANCE }
  })
  app.get('/ogc/edr/collections', described('Produits du radar, par OGC API EDR'), async (request, reply) => {
    const opened = await store()
    const address = publicAddress(request, config)
    const collections = await Promise.all(
      [...opened.catalog.products.values()].map(async (product) =>
        collectionOf(product, await extentOf(opened, product), address),
      ),
    )
    share(request, reply, SELDOM)
    const self = { href: `${address}/ogc/edr/collections`, rel: 'self', type: 'application/json' }
    return { links: [self], collections }
  })
  app.get(
    '/ogc/edr/collections/:id',
    { schema: { summary: 'Un produit du radar, par OGC API EDR', tags, params: inCollection } },
    async (request, reply) => {
      const opened = await store()
      const product = productNamed(opened, request.params.id)
      const extent = await extentOf(opened, product)
      share(request, reply, SELDOM)
      return collectionOf(product, extent, publicAddress(request, config))
    },
  )
  const gauges = new Gauges(deps)
  app.get(
    '/ogc/edr/collections/:id/locations',
    {
      schema: {
        summary: 'Bassins, et pluviomètres que le compte peut regarder (GeoJSON)',
        tags,
        params: inCollection,
      },
    },
    async (request, reply) => {
      const { shortName } = productNamed(await store(), request.params.id)
      const collection = `${publicAddress(request, config)}/ogc/edr/collections/${shortName}`
      const { session } = request
      if (session === null) share(request, reply, SELDOM)
      else keepPrivate(reply)
      reply.type(FORMATS.GeoJSON)
      return locationsOf(catchments.all, session ? await gauges.visible(session) : [], collection)
    },
  )
}

function registerSeries(app: App, context: OgcContext): void {
  const { deps, answers } = context
  const gauges = new Gauges(deps)
  app.get(
    '/ogc/edr/collections/:id/position',
    {
      schema: {
        summary: 'Pluie en un ou plusieurs points au fil du temps (WKT ; suit la règle des pluviomètres)',
        tags,
        params: inCollection,
        querystring: z.object({ ...common, coords: longText() }),
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const geometry = parseWkt(query.coords)
      if (geometry.type !== 'points' || geometry.points.length > POINTS_MAX)
        throw new BadRequest(
          'coords',
          'coords',
          `coords attend POINT, ou MULTIPOINT de ${POINTS_MAX} points au plus.`,
        )
      const { points } = geometry
      const { body, format } = await answers.prepare(request, async () => {
        const asked = await askedFor(context, request, params.id, query, ['CoverageJSON', 'GeoJSON', 'CSV'])
        const places = points.map(([lng, lat]) => ({ lat, lng }))
        await allowGauges(deps.db, request.session!, places, deps.catchments)
        const { span, format } = asked.input
        const input = { ...asked.input, points }
        const isShort = points.length === 1 && span.endMs - span.startMs <= SHORT_MS
        const { body } = isShort
          ? await positionFile({ store: asked.store }, input)
          : await answers.make(edrPositionAnswer, input, request)
        return { body, format }
      })
      return send(reply, body, format)
    },
  )
  app.get(
    '/ogc/edr/collections/:id/locations/:location',
    {
      schema: {
        summary: "Pluie moyenne d'un bassin, ou pluie du radar sur un pluviomètre, au fil du temps",
        tags,
        params: inCollection.extend({ location: shortText() }),
        querystring: z.object(common),
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const asked = await askedFor(context, request, params.id, query, ['CoverageJSON', 'GeoJSON', 'CSV'])
      if (!deps.catchments.get(params.location)) {
        const visible = await gauges.visible(request.session!)
        const gauge = visible.find((one) => locationOfGauge(one) === params.location)
        if (!gauge) throw new NotFound(`Le lieu « ${params.location.slice(0, 80)} » n'existe pas.`)
        const points: [number, number][] = [[gauge.position.lng, gauge.position.lat]]
        const { body } = await answers.make(edrPositionAnswer, { ...asked.input, points }, request)
        return send(reply, body, asked.input.format)
      }
      const input = { ...asked.input, zone: params.location }
      const { body } = await answers.make(edrLocationAnswer, input, request)
      return send(reply, body, asked.input.format)
    },
  )
}

function registerGrids(app: App, context: OgcContext): void {
  const { answers } = context
  app.get(
    '/ogc/edr/collections/:id/area',
    {
      schema: {
        summary: 'Cellules dans un polygone au fil du temps (gestionnaires)',
        tags,
        params: inCollection,
        querystring: z.object({ ...common, coords: longText() }),
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const asked = await askedFor(context, request, params.id, query, ['CoverageJSON', 'netCDF'])
      const geometry = parseWkt(query.coords)
      if (geometry.type !== 'polygons')
        throw new BadRequest('coords', 'coords', 'coords attend POLYGON ou MULTIPOLYGON.')
      const input = { ...asked.input, ground: { polygons: geometry.polygons } }
      const { body } = await answers.make(edrGridAnswer, input, request)
      return send(reply, body, asked.input.format)
    },
  )
  app.get(
    '/ogc/edr/collections/:id/cube',
    {
      schema: {
        summary: 'Cellules dans une emprise au fil du temps (gestionnaires)',
        tags,
        params: inCollection,
        querystring: z.object({ ...common, bbox: shortText() }),
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const asked = await askedFor(context, request, params.id, query, ['CoverageJSON', 'netCDF'])
      const input = { ...asked.input, ground: { box: parseBox(query.bbox) } }
      const { body } = await answers.make(edrGridAnswer, input, request)
      return send(reply, body, asked.input.format)
    },
  )
}

function registerTrajectory(app: App, context: OgcContext): void {
  app.get(
    '/ogc/edr/collections/:id/trajectory',
    {
      schema: {
        summary: 'Pluie le long d’un trajet (gestionnaires)',
        description:
          'coords : LINESTRING, dont chaque image de la période donne les valeurs, ou LINESTRINGM, dont chaque point a son instant ' +
          '(secondes depuis 1970) à la place de datetime. Une valeur par cellule traversée.',
        tags,
        params: inCollection,
        querystring: z.object({ ...common, coords: longText() }),
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const geometry = parseWkt(query.coords)
      if (geometry.type !== 'line')
        throw new BadRequest('coords', 'coords', 'coords attend LINESTRING ou LINESTRINGM.')
      const datetime = datetimeOfLine(geometry, query)
      const formats: Format[] = ['CoverageJSON', 'GeoJSON', 'CSV']
      const asked = await askedFor(context, request, params.id, { ...query, datetime }, formats)
      const { points, secondsOf } = geometry
      const { span } = asked.input
      const around = { startMs: span.startMs - NEAR_MS, endMs: span.endMs + NEAR_MS }
      const input = {
        ...asked.input,
        ...{ points, secondsOf, nearMs: NEAR_MS },
        ...(secondsOf !== null && { span: insideDates(request, around), instantMs: null }),
      }
      const { body } = await context.answers.make(edrTrajectoryAnswer, input, request)
      return send(reply, body, asked.input.format)
    },
  )
}

/** The period of a path: its own moments, or what is asked for beside it. @throws BadRequest for both (19-086r6, /req/edr/coords-...) */
function datetimeOfLine(
  { secondsOf, hasHeights }: Extract<Geometry, { type: 'line' }>,
  { datetime, z: height }: Common,
): string | undefined {
  if (hasHeights && height !== undefined)
    throw new BadRequest('coords', 'z', 'coords donne déjà des hauteurs : retirer z.')
  if (secondsOf === null) return datetime
  if (datetime !== undefined)
    throw new BadRequest('datetime', 'datetime', 'coords donne déjà des instants : retirer datetime.')
  const [first, last] = [secondsOf[0], secondsOf[secondsOf.length - 1]]
  return `${new Date(first * 1000).toISOString()}/${new Date(last * 1000 + 1).toISOString()}`
}

/** What every query has: product, period inside the account's dates, format. Without `datetime` the last three hours. */
async function askedFor(
  context: OgcContext,
  request: FastifyRequest,
  id: string,
  query: Common,
  formats: Format[],
) {
  const store = await context.store()
  const product = productNamed(store, id)
  const format = formatOf(query.f, formats)
  const unknown = (query['parameter-name'] ?? RATE).split(',').find((name) => name.trim() !== RATE)
  if (unknown !== undefined)
    throw new BadRequest(
      'parameterName',
      'parameterName',
      `Le paramètre « ${unknown} » n'existe pas : ${RATE}.`,
    )
  if (query.crs !== undefined && !/(^|[/:])(CRS:?84|OGC:CRS84|EPSG:4326)$/i.test(query.crs))
    throw new BadRequest('crs', 'crs', `Le système « ${query.crs} » n'est pas servi : CRS84.`)
  const extent = await extentOf(store, product)
  const known = extent ?? { firstMs: 0, newestMs: context.deps.clock.now() }
  const given = parseDatetime(query.datetime)
  const datetime = given ?? (await (await context.radar()).liveSpan(product))
  const span = spanOfAsked(datetime, known, NEAR_MS, SERIES_MAX_DAYS)
  const instantMs = 'instantMs' in datetime ? datetime.instantMs : null
  // The frame of a moment may be of a quarter of an hour beside it; the account's dates hold for both.
  const inDates = instantMs === null ? span : insideDates(request, span)
  if (instantMs === null) allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
  else allowPeriod(request, new Date(instantMs), new Date(instantMs + 1))
  return { store, product, input: { p: product.shortName, span: inDates, instantMs, format } }
}

function insideDates({ session }: FastifyRequest, { startMs, endMs }: Span): Span {
  const { start = null, end = null } = session?.restriction ?? {}
  return {
    startMs: Math.max(startMs, start?.getTime() ?? startMs),
    endMs: Math.min(endMs, end?.getTime() ?? endMs),
  }
}

function productNamed({ catalog }: Store, id: string): StoredProduct {
  const product = catalog.products.get(id)
  if (product) return product
  throw new NotFound(`La collection « ${id} » n'existe pas : ${[...catalog.products.keys()].join(', ')}.`)
}

function formatOf(f: string | undefined, formats: Format[]): Format {
  if (f === undefined) return formats[0]
  const wanted = f.toLowerCase()
  const found = formats.find(
    (name) => name.toLowerCase() === wanted || FORMATS[name].split(';')[0] === wanted,
  )
  if (found) return found
  throw new BadRequest('f', 'f', `Le format « ${f} » n'est pas servi ici : ${formats.join(', ')}.`)
}

function send(reply: FastifyReply, body: Uint8Array, format: Format): FastifyReply {
  keepPrivate(reply)
  return reply.type(FORMATS[format]).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}
