import { NOWCAST_LONGEST_MIN, nowcastScoresSchema } from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { keepPrivate } from '../http/caching.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import { spanOf } from '../radar/api.ts'
import type { Answers } from '../threads/answers.ts'
import { scoresAnswer, scoresCsvAnswer } from './scores/answers.ts'

/** Longest period of one call, days. */
export const MAX_DAYS = 31
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
export function registerScores(app: App, answers: Answers): void {
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
}
