import {
  CLASS_BUNDLE_TYPE,
  LIVE_WINDOW_SECONDS,
  NOWCAST_LONGEST_MIN,
  nowcastPlaceSchema,
  nowcastSchema,
} from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { RegisterFeature } from '../http/app.ts'
import { allowLiveOrPeriod } from '../http/authorize.ts'
import { NEWEST, type Shared, share } from '../http/caching.ts'
import { NotFound } from '../http/errors.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { atPlace, Nowcasts } from './service.ts'

const tags = ['nowcast']
/** Without a frame there is nothing to start from. */
const NONE = { issued: null, reason: 'few-frames', horizonMin: null } as const
const issueQuery = z.object({
  /** Moment from which the forecast starts: the newest frame at or before it. @default now */
  issued: instantSchema.optional(),
})

/** A forecast takes seconds to make: meanwhile caches give out the one before, which says when it was issued. */
const NEWEST_FORECAST: Shared = { ...NEWEST, stale: 60 }

/** The newest forecast is everyone's; one of a chosen moment is given by what the asker may see. */
function shareForecast(
  request: FastifyRequest<{ Querystring: { issued?: string } }>,
  reply: FastifyReply,
): void {
  share(request, reply, request.query.issued === undefined ? NEWEST_FORECAST : { seconds: 0 })
}

/** Forecasts: those of the last 3 h are everyone's, older ones are made again from the archive. */
export const registerNowcast: RegisterFeature = (app, deps) => {
  const nowcasts = new Nowcasts(answersOf(app, deps))

  async function forecast(request: FastifyRequest, issued: string | undefined) {
    const away = deps.database.unavailable()
    if (away !== null) throw new DatabaseUnavailable(away)
    const store = await storeOf(deps)
    // Held against the dates as it was asked for, before anything is looked up.
    const asked = issued === undefined ? undefined : Date.parse(issued)
    const newestMs = await nowcasts.newest(store)
    const from = asked ?? newestMs ?? deps.clock.now()
    const live = asked === undefined || (newestMs !== null && asked > newestMs - LIVE_WINDOW_SECONDS * 1000)
    allowLiveOrPeriod(request, live, new Date(from), new Date(from + NOWCAST_LONGEST_MIN * 60_000))
    const issue = await nowcasts.issue(store, from)
    if (!issue) return null
    return { product: issue.product, answer: await nowcasts.forecast(issue.product, issue.issuedMs, request) }
  }

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
      const made = await forecast(request, request.query.issued)
      shareForecast(request, reply)
      return made ? made.answer.about : { ...NONE, product: deps.site.defaultProduct, times: [], skill: [] }
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
      const made = await forecast(request, request.query.issued)
      if (!made) throw new NotFound("Il n'y a pas d'image de radar à cet instant, donc pas de prévision.")
      shareForecast(request, reply)
      return reply.type(CLASS_BUNDLE_TYPE).send(Buffer.from(made.answer.bundle))
    },
  )

  app.get(
    '/api/nowcast/place',
    {
      schema: {
        summary: "Pluie à venir en un lieu, par classe d'intensité",
        tags,
        querystring: issueQuery.extend({
          lat: z.coerce.number().min(-90).max(90),
          lng: z.coerce.number().min(-180).max(180),
        }),
        response: { 200: nowcastPlaceSchema },
      },
    },
    async (request, reply) => {
      const { lat, lng, issued } = request.query
      const made = await forecast(request, issued)
      shareForecast(request, reply)
      if (!made) return { ...NONE, classes: [], rainInMin: null, dryInMin: null }
      return atPlace(made.product, made.answer, { lat, lng })
    },
  )
}
