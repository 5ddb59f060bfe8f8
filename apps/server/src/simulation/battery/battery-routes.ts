import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  batteryOrderSchema,
  batterySchema,
  batterySummarySchema,
  SUBMISSION_KEY_HEADER,
  submissionKeySchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { csvInDialect } from '@radx/locale/csv'
import type { FastifyRequest } from 'fastify'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { dialectOf, sendCsv } from '../../http/csv.ts'
import type { Session } from '../../http/sessions.ts'
import { jobOutput, jobUser } from '../../jobs/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { type AnswerKind, answersOf } from '../../threads/answers.ts'
import { OUTPUT } from '../run/outputs.ts'
import type { Submissions, Submitter } from '../submissions.ts'
import { Batteries, batteryCsv } from './batteries.ts'

const tags = ['simulation']
const one = z.object({ id: z.uuid() })
/** Painted cells are none of an order; minutes of rain are. */
const BODY_BYTES = 24 * 2 ** 20

interface Packed {
  csv: string
  runs: { jobId: string; name: string }[]
}

/** The table of an order and the largest depths of its runs, as a zip. */
export const batteryZipAnswer: AnswerKind<Packed, { body: Uint8Array }> = {
  name: 'battery.zip',
  async run({ config }, { csv, runs }) {
    const files = openFileStore(config)
    const entries: Zippable = { 'resultats.csv': strToU8(csv) }
    for (const { jobId, name } of runs) {
      const dir = await files.folder(jobOutput(jobId))
      if (dir === null) continue
      for (const file of [OUTPUT.maxDepth, OUTPUT.balance])
        entries[`${name}/${file}`] = new Uint8Array(await readFile(join(dir, file)))
    }
    return { body: zipSync(entries, { level: 6 }) }
  },
}

/** Every rain on every land use as one order: one progress, one cancel, one table. */
export function registerBatteries(
  app: App,
  deps: Deps,
  submissions: Submissions,
  submitterOf: (request: FastifyRequest) => Submitter,
): void {
  const batteries = new Batteries(deps, submissions)
  const answers = answersOf(app, deps)
  const user = (request: FastifyRequest) => jobUser(request.session as Session)
  const found = (request: FastifyRequest<{ Params: z.infer<typeof one> }>) =>
    batteries.get(request.params.id, user(request), (request.session as Session).restriction)

  app.post(
    '/api/multihydro/batteries',
    {
      bodyLimit: BODY_BYTES,
      schema: {
        summary: 'Commande une batterie : chaque pluie sur chaque carte d’occupation des sols',
        description:
          'Chaque combinaison devient une simulation ordinaire, avec les mêmes contrôles que le formulaire ; si l’une est refusée, rien n’est lancé. Les calculs passent après ceux que l’on lance un à un. La même commande renvoyée avec la même clé (en-tête idempotency-key) ne lance rien de plus.',
        tags,
        headers: z.looseObject({ [SUBMISSION_KEY_HEADER]: submissionKeySchema.optional() }),
        body: batteryOrderSchema,
        response: { 200: z.object({ id: z.uuid() }) },
      },
    },
    async (request) => {
      // Virtual rain shows nothing of the archive; each other rain is held against the account's dates.
      request.periodChecked = true
      const { title, catchmentId } = request.body
      tellMore(request, { title, catchment: catchmentId })
      const key = request.headers[SUBMISSION_KEY_HEADER] ?? null
      return { id: await batteries.order(request.body, submitterOf(request), key) }
    },
  )

  app.get(
    '/api/multihydro/batteries',
    {
      schema: {
        summary: 'Ses batteries, les plus récentes d’abord, avec leur avancement',
        tags,
        response: { 200: list(batterySummarySchema) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return batteries.list(user(request))
    },
  )

  app.get(
    '/api/multihydro/batteries/:id',
    {
      schema: {
        summary: 'Une batterie : avancement, simulations et leurs chiffres',
        description: 'Les chiffres d’une pluie hors des dates du compte sont omis, avec la raison.',
        tags,
        params: one,
        response: { 200: batterySchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return found(request)
    },
  )

  app.get(
    '/api/multihydro/batteries/:id/resultats.csv',
    { schema: { summary: 'Le tableau d’une batterie, une ligne par simulation (CSV)', tags, params: one } },
    async (request, reply) => {
      const text = csvInDialect(batteryCsv(await found(request)), dialectOf(request))
      return sendCsv(reply, 'resultats.csv', new TextEncoder().encode(text))
    },
  )

  app.get(
    '/api/multihydro/batteries/:id/resultats.zip',
    {
      schema: {
        summary:
          'Le tableau d’une batterie avec les hauteurs maximales et le bilan de chaque simulation (zip)',
        tags,
        params: one,
      },
    },
    async (request, reply) => {
      const battery = await found(request)
      const runs = battery.runs
        .filter(({ status, withheld }) => status === 'done' && withheld === null)
        .map(({ jobId, rain, landUse }) => ({ jobId, name: `pluie-${rain + 1}_carte-${landUse + 1}` }))
      const { body } = await answers.make(batteryZipAnswer, { csv: batteryCsv(battery), runs }, request)
      return reply
        .header('content-disposition', 'attachment; filename="batterie.zip"')
        .header('cache-control', 'private, no-cache')
        .type('application/zip')
        .send(Buffer.from(body))
    },
  )

  app.post(
    '/api/multihydro/batteries/:id/cancel',
    {
      schema: {
        summary: 'Annule ce qui reste d’une batterie ; les simulations terminées restent',
        tags,
        params: one,
        response: { 200: batterySchema },
      },
    },
    async (request) => {
      await batteries.cancel(request.params.id, user(request))
      return found(request)
    },
  )

  app.delete(
    '/api/multihydro/batteries/:id',
    {
      schema: {
        summary: 'Supprime une batterie terminée ou annulée, avec ses simulations',
        tags,
        params: one,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await batteries.remove(request.params.id, user(request))
      return reply.status(204).send(null)
    },
  )
}
