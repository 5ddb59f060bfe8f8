import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  catchmentDetailSchema,
  catchmentNameSchema,
  catchmentSharingSchema,
  keptCatchmentSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { catchmentUploadedSchema } from '@radx/contracts/catchment-upload'
import type { FastifyRequest } from 'fastify'
import { type Zippable, zipSync } from 'fflate'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { readerOf } from '../../http/catchment-rights.ts'
import { pageOf, pageQuery, placeOf } from '../../http/page.ts'
import type { Session } from '../../http/sessions.ts'
import { type AnswerKind, answersOf } from '../../threads/answers.ts'
import { OwnCatchments } from './own-catchments.ts'
import { catchmentTaker } from './upload.ts'

const tags = ['simulation']
const one = z.object({ catchmentId: z.string().max(64) })
const nothing = { 204: z.null() }

/** A package as a zip, as it was given. */
export const zipAnswer: AnswerKind<{ dir: string }, { body: Uint8Array }> = {
  name: 'catchment.zip',
  async run(_context, { dir }) {
    const entries: Zippable = {}
    for (const name of (await readdir(dir)).sort()) entries[name] = await readFile(join(dir, name))
    return { body: zipSync(entries) }
  },
}

/** Catchments of accounts: brought, shared, renamed, deleted, taken along. */
export function registerOwnCatchments(app: App, deps: Deps): void {
  const catchments = new OwnCatchments(deps)
  const answers = answersOf(app, deps)
  const take = catchmentTaker(app, deps)
  const user = (request: FastifyRequest) => readerOf(request.session as Session)

  app.get(
    '/api/catchment-packages',
    {
      schema: {
        summary:
          'Bassins versants que l’on voit, les plus récents d’abord ; l’en-tête radx-next donne la suite',
        description:
          'Les siens, ceux de la plateforme et ceux que d’autres partagent. Avec all=1, un gestionnaire voit tous.',
        tags,
        querystring: pageQuery.extend({ all: z.enum(['0', '1']).default('0') }),
        response: { 200: list(keptCatchmentSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, all } = request.query
      const rows = await catchments.list(user(request), all === '1', placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )

  app.post(
    '/api/catchment-packages',
    {
      schema: {
        summary: 'Ajoute un bassin versant à soi : le zip de son dossier',
        description:
          'Mêmes contrôles que radx catchment import ; details.problems d’un refus dit tout ce qui ne va pas. Un bassin à soi du même identifiant, ou celui que nomme into, reçoit une nouvelle version, sauf si rien n’a changé. Son propriétaire est seul à le voir jusqu’à ce qu’il le partage.',
        tags,
        consumes: ['application/zip', 'application/octet-stream'],
        querystring: z.object({
          name: z.string().min(1).max(200),
          into: z.string().min(1).max(64).optional(),
        }),
        response: { 200: catchmentUploadedSchema },
      },
    },
    (request) => {
      const { name, into } = request.query
      return take(request, name, { owner: user(request), into })
    },
  )

  app.get(
    '/api/catchment-packages/:catchmentId',
    {
      schema: {
        summary: 'Un bassin versant et ses versions',
        tags,
        params: one,
        response: { 200: catchmentDetailSchema },
      },
    },
    (request) => catchments.get(request.params.catchmentId, user(request)),
  )

  app.get(
    '/api/catchment-packages/:catchmentId/package.zip',
    {
      schema: {
        summary: 'Le dossier d’un bassin versant en un zip, tel qu’il a été donné',
        tags,
        params: one,
        querystring: z.object({
          version: z
            .string()
            .regex(/^[0-9a-f]{16}$/, 'Une version de la liste est attendue.')
            .optional(),
        }),
      },
    },
    async (request, reply) => {
      const { catchmentId } = request.params
      const dir = await catchments.folder(catchmentId, request.query.version)
      const { body } = await answers.make(zipAnswer, { dir }, request)
      return reply
        .header('content-disposition', `attachment; filename="${catchmentId}.zip"`)
        .type('application/zip')
        .send(Buffer.from(body))
    },
  )

  app.put(
    '/api/catchment-packages/:catchmentId/name',
    {
      schema: {
        summary: 'Renomme un bassin versant',
        tags,
        params: one,
        body: z.object({ name: catchmentNameSchema }),
        response: nothing,
      },
    },
    async (request, reply) => {
      await catchments.rename(request.params.catchmentId, request.body.name, user(request))
      return reply.status(204).send(null)
    },
  )

  app.put(
    '/api/catchment-packages/:catchmentId/sharing',
    {
      schema: {
        summary: 'Dit qui voit un bassin versant : soi seul, des comptes nommés, tous',
        tags,
        params: one,
        body: catchmentSharingSchema,
        response: nothing,
      },
    },
    async (request, reply) => {
      await catchments.share(request.params.catchmentId, request.body, user(request))
      tellMore(request, { sharing: request.body.sharing, names: request.body.names.join(', ') })
      return reply.status(204).send(null)
    },
  )

  app.delete(
    '/api/catchment-packages/:catchmentId',
    {
      schema: {
        summary: 'Supprime un bassin versant ; les simulations qui y ont été faites restent',
        tags,
        params: one,
        response: nothing,
      },
    },
    async (request, reply) => {
      const now = new Date(deps.clock.now())
      tellMore(request, await catchments.remove(request.params.catchmentId, user(request), now))
      return reply.status(204).send(null)
    },
  )
}
