import {
  CLASS_BUNDLE_TYPE,
  LIVE_WINDOW_SECONDS,
  NOWCAST_CHANCES_MM_H,
  nowcastFanSchema,
  nowcastMotionSchema,
  nowcastPlaceSchema,
  nowcastSchema,
} from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { App, Deps, RegisterFeature } from '../http/app.ts'
import { allowLiveOrPeriod } from '../http/authorize.ts'
import { keepPrivate, NEWEST, type Shared, share } from '../http/caching.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { catchmentQuery, zoneOf } from '../radar/api.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { leadsOf } from './made/issue.ts'
import { registerOrders } from './order-routes.ts'
import { registerScores } from './score-routes.ts'
import { type Issue, Nowcasts } from './service.ts'

const tags = ['nowcast']
/** Without a frame there is nothing to start from. */
const NONE = { issued: null, reason: 'few-frames', horizonMin: null } as const
const issueQuery = z.object({
  /** Moment from which the forecast starts: the newest frame at or before it. @default now */
  issued: instantSchema.optional(),
})
const placeQuery = issueQuery.extend({
  lat: z.coerce.number().min(-90).max(90),
  lng: z.coerce.number().min(-180).max(180),
})

/** A forecast takes seconds to make: meanwhile caches give out the one before, which says when it was issued. */
const NEWEST_FORECAST: Shared = { ...NEWEST, stale: 60 }

interface Asked {
  store: Store
  /** Null where no frame is near. */
  issue: Issue | null
  /** Issued in the last 3 h, and so everyone's. */
  live: boolean
}
type Request = FastifyRequest<{ Querystring: { issued?: string } }>

/** What is everyone's may be kept by caches; the rest is the asker's alone. */
function shareForecast(request: Request, reply: FastifyReply, { live }: Asked): void {
  if (live) share(request, reply, request.query.issued === undefined ? NEWEST_FORECAST : NEWEST)
  else keepPrivate(reply)
}

/** Forecasts: those of the last 3 h are everyone's, older ones are for accounts and within their dates. */
export const registerNowcast: RegisterFeature = (app, deps) => {
  const answers = answersOf(app, deps)
  const nowcasts = new Nowcasts(answers, deps.db)
  const lasts = Math.max(...leadsOf(deps.site.nowcast)) * 60_000

  /** @param exact whether exact values are asked for, which are never everyone's */
  async function asked(request: Request, exact = false): Promise<Asked> {
    const away = deps.database.unavailable()
    if (away !== null) throw new DatabaseUnavailable(away)
    const store = await storeOf(deps)
    // Held against the dates as it was asked for, before anything is looked up.
    const at = request.query.issued === undefined ? undefined : Date.parse(request.query.issued)
    const newestMs = await nowcasts.newest(store)
    const from = at ?? newestMs ?? deps.clock.now()
    const isLive = (ms: number) => newestMs !== null && ms > newestMs - LIVE_WINDOW_SECONDS * 1000
    const mayBeLive = !exact && (at === undefined || isLive(at))
    const [start, end] = [new Date(from), new Date(from + lasts)]
    allowLiveOrPeriod(request, mayBeLive, start, end)
    const issue = await nowcasts.issue(store, from, at === undefined)
    // The frame may lie before the moment that was asked for, and so before the live hours or the account's dates.
    const live = mayBeLive && (at === undefined || issue === null || isLive(issue.issuedMs))
    if (issue) allowLiveOrPeriod(request, live, new Date(issue.issuedMs), end)
    return { store, issue, live }
  }

  registerPictures(app, deps, nowcasts, asked)
  registerPlaces(app, deps, nowcasts, asked)
  registerScores(app, answers)
  registerOrders(app, deps, nowcasts)
}

type Ask = (request: Request, exact?: boolean) => Promise<Asked>

function registerPictures(app: App, { site }: Deps, nowcasts: Nowcasts, asked: Ask): void {
  app.get(
    '/api/nowcast',
    {
      schema: {
        summary: 'Prévision à deux heures : échéances et horizon de fiabilité',
        tags,
        querystring: issueQuery,
        response: { 200: nowcastSchema },
      },
    },
    async (request, reply) => {
      const what = await asked(request)
      shareForecast(request, reply, what)
      if (!what.issue) return { ...NONE, product: site.defaultProduct, times: [], skill: [] }
      return nowcasts.about(what.issue, request)
    },
  )

  app.get(
    '/api/nowcast/frames',
    {
      schema: {
        summary: "Images prévues en classes d'intensité (lot binaire), la dernière observée d'abord",
        tags,
        querystring: issueQuery,
      },
    },
    async (request, reply) => {
      const what = await asked(request)
      if (!what.issue) throw noFrame()
      const { bundle } = await nowcasts.forecast(what.issue, request)
      shareForecast(request, reply, what)
      return reply.type(CLASS_BUNDLE_TYPE).send(Buffer.from(bundle))
    },
  )

  app.get(
    '/api/nowcast/chances',
    {
      schema: {
        summary: 'Probabilité de dépasser une intensité, en dixièmes (lot binaire), une image par échéance',
        tags,
        querystring: issueQuery.extend({
          /** mm/h. */
          above: z.coerce.number().pipe(z.literal(NOWCAST_CHANCES_MM_H)),
        }),
      },
    },
    async (request, reply) => {
      const what = await asked(request)
      if (!what.issue) throw noFrame()
      const bundle = await nowcasts.chances(what.issue, request.query.above, request)
      shareForecast(request, reply, what)
      return reply.type(CLASS_BUNDLE_TYPE).send(Buffer.from(bundle))
    },
  )

  app.get(
    '/api/nowcast/motion',
    {
      schema: {
        summary: 'Déplacement de la pluie : vitesses sur une grille large, là où il pleut',
        tags,
        querystring: issueQuery,
        response: { 200: nowcastMotionSchema },
      },
    },
    async (request, reply) => {
      const what = await asked(request)
      shareForecast(request, reply, what)
      if (!what.issue) return { product: site.defaultProduct, issued: null, reason: NONE.reason, arrows: [] }
      const { about, arrows } = await nowcasts.forecast(what.issue, request)
      return { product: about.product, issued: about.issued, reason: about.reason, arrows }
    },
  )
}

function registerPlaces(app: App, { site, catchments }: Deps, nowcasts: Nowcasts, asked: Ask): void {
  const noFan = { ...NONE, product: site.defaultProduct, members: 0, values: [] }

  app.get(
    '/api/nowcast/place',
    {
      schema: {
        summary: "Pluie à venir en un lieu, par classe d'intensité",
        tags,
        querystring: placeQuery,
        response: { 200: nowcastPlaceSchema },
      },
    },
    async (request, reply) => {
      const what = await asked(request)
      shareForecast(request, reply, what)
      if (!what.issue) return { ...NONE, classes: [], rainInMin: null, dryInMin: null }
      return nowcasts.place(what.issue, request.query, request)
    },
  )

  app.get(
    '/api/nowcast/fan',
    {
      schema: {
        summary: "Pluie moyenne prévue d'un bassin, et ses quantiles 10, 50 et 90 %",
        tags,
        querystring: issueQuery.extend(catchmentQuery),
        response: { 200: nowcastFanSchema },
      },
    },
    async (request, reply) => {
      const zone = zoneOf(catchments, request.query)
      if (!zone) throw new BadRequest('catchment', 'c', 'Indiquer un bassin versant (c).')
      const what = await asked(request)
      shareForecast(request, reply, what)
      if (!what.issue) return noFan
      const ordinal = what.store.catalog.ordinalOf(zone.key)!
      return nowcasts.fan(what.store, what.issue, ordinal, request)
    },
  )

  app.get(
    '/api/nowcast/pixel',
    {
      schema: {
        summary: 'Pluie prévue dans une maille (mm/h), et ses quantiles 10, 50 et 90 %',
        tags,
        querystring: placeQuery,
        response: { 200: nowcastFanSchema },
      },
    },
    async (request, reply) => {
      const what = await asked(request, true)
      keepPrivate(reply)
      return what.issue ? nowcasts.pixel(what.store, what.issue, request.query, request) : noFan
    },
  )
}

const noFrame = () => new NotFound("Il n'y a pas d'image de radar à cet instant, donc pas de prévision.")
