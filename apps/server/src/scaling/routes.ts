import { eventScalingSchema } from '@radx/contracts'
import type { App, Deps } from '../http/app.ts'
import { periodQuery, productOf, spanOf } from '../radar/api.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { scalingAnswer } from './analysis.ts'

/** A day of frames is what memory holds at once. */
const MAX_DAYS = 1

/** How rain scales: trace moments, double trace moments and the spectrum of a period. */
export function registerScaling(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)
  app.get(
    '/api/scaling/event',
    {
      schema: {
        summary: 'Analyse multifractale d’une période : TM, DTM et spectre, par gamme d’échelles',
        tags: ['scaling'],
        querystring: periodQuery,
        response: { 200: eventScalingSchema },
      },
    },
    async (request) => {
      const { query } = request
      productOf(await storeOf(deps), query)
      return answers.make(scalingAnswer, { product: query.p, span: spanOf(query, MAX_DAYS) }, request)
    },
  )
}
