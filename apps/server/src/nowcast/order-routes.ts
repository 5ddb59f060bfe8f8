import { jobSchema } from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { NotFound, TooManyRequests } from '../http/errors.ts'
import type { Session } from '../http/sessions.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { jobUser } from '../jobs/api.ts'
import { spanOf } from '../radar/api.ts'
import { storeOf } from '../store/open-store.ts'
import { leadsOf } from './made/issue.ts'
import { MOMENT_JOB, REPLAY_JOB } from './replay-job.ts'
import { MAX_DAYS } from './score-routes.ts'
import type { Nowcasts } from './service.ts'

const tags = ['nowcast']
/** Moments that an account may have forecast again: what is kept of each takes 1 to 3 MB for 6 h or more. */
const MOMENTS = { burst: 20, perSecond: 20 / 3_600 }

/** Forecasts made again as jobs: a period by managers, one moment by every account within its dates. */
export function registerOrders(app: App, deps: Deps, nowcasts: Nowcasts): void {
  const longestMs = Math.max(...leadsOf(deps.site.nowcast)) * 60_000
  const moments = new TokenBuckets(MOMENTS)

  app.post(
    '/api/job/nowcast',
    {
      schema: {
        summary: "Refait et note les prévisions d'une période de l'archive (tâche)",
        tags,
        body: z.object({
          start: instantSchema,
          end: instantSchema,
          /** Probabilities as well: ten times as long. */
          members: z.boolean().default(false),
        }),
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { start, end } = request.body
      const span = spanOf({ s: start, e: end }, MAX_DAYS)
      // What is forecast lies within the account's dates too.
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs + longestMs))
      return deps.jobs.queue().submit(REPLAY_JOB, request.body, jobUser(request.session as Session))
    },
  )

  app.post(
    '/api/job/nowcast/moment',
    {
      schema: {
        summary: "Refait la prévision d'un moment de l'archive et la garde (tâche)",
        tags,
        body: z.object({
          /** The newest frame at or before it is where the forecast starts. */
          issued: instantSchema,
          members: z.boolean().default(true),
        }),
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { issued, members } = request.body
      const atMs = Date.parse(issued)
      // As it was asked for, before anything is looked up; then as it is.
      allowPeriod(request, new Date(atMs), new Date(atMs + longestMs))
      const issue = await nowcasts.issue(await storeOf(deps), atMs, false)
      if (!issue) throw new NotFound("Il n'y a pas d'image de radar à cet instant, donc pas de prévision.")
      const until = new Date(atMs + longestMs)
      allowPeriod(request, new Date(issue.issuedMs), until)
      const user = jobUser(request.session as Session)
      const now = deps.clock.now()
      if (!moments.take(user.name, now))
        throw new TooManyRequests(
          'Trop de moments refaits en peu de temps. Patienter quelques minutes, puis réessayer.',
          moments.waitSeconds(user.name, now),
        )
      return deps.jobs.queue().submit(
        MOMENT_JOB,
        {
          product: issue.product.shortName,
          issued: new Date(issue.issuedMs).toISOString(),
          until: until.toISOString(),
          members,
        },
        user,
      )
    },
  )
}
