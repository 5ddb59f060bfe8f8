import { jobSchema, NOWCAST_LONGEST_MIN, nowcastScoresSchema } from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { keepPrivate } from '../http/caching.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import type { Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/api.ts'
import { spanOf } from '../radar/api.ts'
import type { Answers } from '../threads/answers.ts'
import { leadsOf } from './made/issue.ts'
import { REPLAY_JOB } from './replay-job.ts'
import { scoresAnswer, scoresCsvAnswer } from './scores/answers.ts'

const MAX_DAYS = 31
const tags = ['nowcast']
const querystring = z.object({
  s: instantSchema,
  e: instantSchema,
  /** Lead up to which probabilities count for the reliability, minutes. */
  until: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(NOWCAST_LONGEST_MIN / 2),
})
const inputOf = ({ s, e, until }: z.output<typeof querystring>) => ({
  ...spanOf({ s, e }, MAX_DAYS),
  untilMin: until,
})

/** What forecasts were worth, by the frames of a period. */
export function registerScores(app: App, deps: Deps, answers: Answers): void {
  const longestMs = Math.max(...leadsOf(deps.site.nowcast)) * 60_000
  app.get(
    '/api/nowcast/scores',
    {
      schema: {
        summary:
          "Qualité des prévisions d'une période : scores par échéance, contre la persistance, et fiabilité",
        tags,
        querystring,
        response: { 200: nowcastScoresSchema },
      },
    },
    (request, reply) => {
      keepPrivate(reply)
      return answers.make(scoresAnswer, inputOf(request.query), request)
    },
  )

  app.get(
    '/api/nowcast/scores.csv',
    { schema: { summary: "Qualité des prévisions d'une période, en CSV", tags, querystring } },
    async (request, reply) => {
      keepPrivate(reply)
      const input = { ...inputOf(request.query), dialect: dialectOf(request) }
      const { body } = await answers.make(scoresCsvAnswer, input, request)
      return sendCsv(reply, `radx-prevision-${request.query.s.slice(0, 10)}.csv`, body)
    },
  )

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
}
