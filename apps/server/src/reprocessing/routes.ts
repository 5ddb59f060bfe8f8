import {
  jobSchema,
  productComparisonSchema,
  REPROCESSING_MAX_DAYS,
  reprocessingSchema,
  reprocessingsSchema,
  siteProductSchema,
} from '@radx/contracts'
import { instantSchema } from '@radx/contracts/radar'
import { z } from 'zod'
import { keepDoing } from '../background.ts'
import type { App, Deps, RegisterFeature } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { spanOf } from '../http/rain-requests.ts'
import type { Session } from '../http/sessions.ts'
import { jobUser } from '../jobs/api.ts'
import { keepInOneProcess } from '../one-process.ts'
import type { Span } from '../store/frame-index.ts'
import { storeOf } from '../store/open-store.ts'
import { removeMadeProduct } from '../store/remove-made-product.ts'
import { answersOf } from '../threads/answers.ts'
import { productComparisonAnswer } from './comparison.ts'
import { UnderWay } from './errors.ts'
import { REPROCESSING_JOB } from './job.ts'
import { listMadeProducts, madeProductNamed, makingOf, parametersOf } from './service.ts'
import { checkMaking, isHeld, sweepUnfinished } from './under-way.ts'

const tags = ['radar']
const params = z.object({ name: siteProductSchema.shape.shortName })
const SWEEP_PAUSE_MS = 60_000

/** Products that are made of kept volumes by other settings: to make, to compare, to remove. */
export const registerReprocessing: RegisterFeature = (app, deps) => {
  registerMaking(app, deps)
  registerComparison(app, deps)
  keepInOneProcess(app, deps, 'reprocessing', (signal) => keepSwept(deps, signal))
}

function registerMaking(app: App, deps: Deps): void {
  const { site } = deps

  app.post(
    '/api/job/reprocessing',
    {
      schema: {
        summary:
          'Retraite les volumes gardés d’une période avec d’autres paramètres, en un produit à part (tâche)',
        tags,
        body: reprocessingSchema,
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { start, end } = request.body
      const span = spanOf({ s: start, e: end }, REPROCESSING_MAX_DAYS)
      allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
      const user = jobUser(request.session as Session)
      await checkMaking(await storeOf(deps), { ...request.body, jobId: null })
      return deps.jobs.queue().submit(REPROCESSING_JOB, makingOf(site, request.body, user.name), user)
    },
  )

  app.get(
    '/api/reprocessing',
    {
      schema: {
        summary: 'Produits retraités, et les paramètres du site',
        tags,
        response: { 200: reprocessingsSchema },
      },
    },
    async () => ({ products: await listMadeProducts(await storeOf(deps)), site: parametersOf(site) }),
  )

  app.delete(
    '/api/reprocessing/:name',
    {
      schema: {
        summary: 'Supprime un produit retraité ; les volumes d’origine restent',
        tags,
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(deps)
      const product = await madeProductNamed(store, request.params.name)
      if (!product.isReady && (await isHeld(store, product))) throw new UnderWay(product.shortName)
      await removeMadeProduct(store, product)
      return reply.status(204).send(null)
    },
  )
}

function registerComparison(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)

  app.get(
    '/api/reprocessing/:name/comparison',
    {
      schema: {
        summary: 'Un produit retraité face à celui dont il vient, sur la période et par heure',
        tags,
        params,
        querystring: z.object({ s: instantSchema, e: instantSchema }),
        response: { 200: productComparisonSchema },
      },
    },
    async (request, reply) => {
      const span: Span = spanOf(request.query, REPROCESSING_MAX_DAYS)
      const { shortName, made } = await madeProductNamed(await storeOf(deps), request.params.name)
      const asked = { product: shortName, source: made.source, span }
      const { body } = await answers.make(productComparisonAnswer, asked, request)
      return reply.type('application/json; charset=utf-8').send(body as never)
    },
  )
}

/** Takes away what was begun and left: cancelled while it waited for its thread, or by a machine that died. */
async function keepSwept(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const round = async () => {
    const gone = await sweepUnfinished(await storeOf(deps))
    if (gone.length > 0) deps.log.info({ products: gone }, 'Retraitements inachevés retirés')
  }
  await keepDoing(round, {
    signal,
    pauseMs: SWEEP_PAUSE_MS,
    log: deps.log,
    failed: 'Les retraitements inachevés n’ont pas pu être retirés',
    excuse: () => deps.database.unavailable(),
  })
}
