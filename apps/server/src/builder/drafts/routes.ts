import { createReadStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BUILDER_ENDINGS,
  BUILDER_FILE_MAX,
  builderDraftDetailSchema,
  builderDraftSchema,
  builderFileSchema,
  builderNameSchema,
  builderPreviewSchema,
  builderStepSchema,
} from '@radx/contracts'
import { list } from '@radx/contracts/bounds'
import { catchmentUploadedSchema } from '@radx/contracts/catchment-upload'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { readerOf } from '../../http/catchment-rights.ts'
import type { Session } from '../../http/sessions.ts'
import { keptName } from '../../http/unzip.ts'
import { acceptFiles, receiveUpload } from '../../http/uploads.ts'
import { type JobUser, jobUser } from '../../jobs/api.ts'
import { importAnswer } from '../../simulation/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { answersOf } from '../../threads/answers.ts'
import { SourceRefused } from '../findings.ts'
import { inspectAnswer, previewAnswer } from './answers.ts'
import { registerDraftRetention } from './keeper.ts'
import { Drafts } from './service.ts'
import { gatherSources, withFolder } from './sources.ts'

const tags = ['builder']
const one = z.object({ id: z.uuid() })
const ofBuild = z.object({ buildId: z.uuid() })
const nothing = { 204: z.null() }

const builderOf = (request: FastifyRequest): JobUser => jobUser(request.session as Session)

/** The builder of catchments in steps: drafts, their files, previews, builds. */
export function registerBuilder(app: App, deps: Deps): void {
  const drafts = new Drafts(deps)
  acceptFiles(app)
  registerKept(app, drafts)
  registerFiles(app, deps, drafts)
  registerPreview(app, deps, drafts)
  registerBuilds(app, deps, drafts)
  registerDraftRetention(app, deps, drafts)
}

function registerKept(app: App, drafts: Drafts): void {
  app.get(
    '/api/builder/drafts',
    {
      schema: {
        summary: 'Ses bassins versants en construction, le dernier changé d’abord',
        tags,
        response: { 200: list(builderDraftSchema) },
      },
    },
    (request) => drafts.list(builderOf(request)),
  )
  app.post(
    '/api/builder/drafts',
    {
      schema: {
        summary: 'Commence la construction d’un bassin versant',
        tags,
        body: z.object({ name: builderNameSchema }),
        response: { 200: z.object({ id: z.uuid() }) },
      },
    },
    (request) => drafts.create(builderOf(request), request.body.name),
  )
  app.get(
    '/api/builder/drafts/:id',
    {
      schema: {
        summary: 'Un bassin en construction : sa recette, ses fichiers, ses constructions',
        tags,
        params: one,
        response: { 200: builderDraftDetailSchema },
      },
    },
    (request) => drafts.get(request.params.id, builderOf(request)),
  )
  app.put(
    '/api/builder/drafts/:id',
    {
      schema: {
        summary: 'Garde le nom ou la recette d’un bassin en construction',
        description: 'La recette est celle de radx catchment build, où il peut encore manquer des parties.',
        tags,
        params: one,
        body: z.object({ name: builderNameSchema.optional(), recipe: z.looseObject({}).optional() }),
        response: nothing,
      },
    },
    async (request, reply) => {
      await drafts.save(request.params.id, builderOf(request), request.body)
      return reply.status(204).send(null)
    },
  )
  app.delete(
    '/api/builder/drafts/:id',
    {
      schema: {
        summary: 'Supprime un bassin en construction et ses fichiers',
        tags,
        params: one,
        response: nothing,
      },
    },
    async (request, reply) => {
      tellMore(request, await drafts.remove(request.params.id, builderOf(request)))
      return reply.status(204).send(null)
    },
  )
}

function registerFiles(app: App, deps: Deps, drafts: Drafts): void {
  const answers = answersOf(app, deps)
  app.post(
    '/api/builder/drafts/:id/files',
    {
      schema: {
        summary: 'Ajoute un fichier de sources, ou remplace celui de ce nom',
        description: `${BUILDER_ENDINGS.map((ending) => `.${ending}`).join(', ')}. Il est lu avant d’être gardé.`,
        tags,
        consumes: ['application/octet-stream', 'application/zip'],
        params: one,
        querystring: z.object({ name: z.string().min(1).max(200) }),
        response: { 200: builderFileSchema.pick({ name: true, holds: true }) },
      },
    },
    async (request) => {
      const { id } = request.params
      const user = builderOf(request)
      const name = keptName(request.query.name)
      await drafts.own(deps.db, id, user)
      if (!BUILDER_ENDINGS.some((ending) => name.toLowerCase().endsWith(`.${ending}`)))
        throw new SourceRefused(
          `${name} : ce genre de fichier n’est pas pris. Donnez ${BUILDER_ENDINGS.map((ending) => `.${ending}`).join(', ')} (un shapefile en .zip).`,
        )
      return receiveUpload(request, deps, BUILDER_FILE_MAX, (path) =>
        withFolder(deps.config.dataDir, async (dir) => {
          await rename(path, join(dir, name))
          const holds = await answers.make(inspectAnswer, { dir, name }, request)
          await drafts.addFile(id, user, name, dir, holds)
          tellMore(request, { name })
          return { name, holds }
        }),
      )
    },
  )
  app.delete(
    '/api/builder/drafts/:id/files/:name',
    {
      schema: {
        summary: 'Supprime un fichier de sources',
        tags,
        params: one.extend({ name: z.string().max(200) }),
        response: nothing,
      },
    },
    async (request, reply) => {
      const { id, name } = request.params
      await drafts.removeFile(id, builderOf(request), name)
      tellMore(request, { name })
      return reply.status(204).send(null)
    },
  )
}

function registerPreview(app: App, deps: Deps, drafts: Drafts): void {
  const answers = answersOf(app, deps)
  const store = openFileStore(deps.config)
  app.get(
    '/api/builder/drafts/:id/preview',
    {
      schema: {
        summary: 'Ce que donne une étape avec ce qui la précède : grille, image, réseau, constats',
        tags,
        params: one,
        querystring: z.object({ step: builderStepSchema }),
        response: { 200: builderPreviewSchema },
      },
    },
    async (request) => {
      const { id } = request.params
      const { recipe, files } = await drafts.sources(id, builderOf(request))
      return withFolder(deps.config.dataDir, async (dir) => {
        await gatherSources(store, id, files, dir)
        return answers.make(previewAnswer, { recipe, dir, step: request.query.step }, request)
      })
    },
  )
}

function registerBuilds(app: App, deps: Deps, drafts: Drafts): void {
  const answers = answersOf(app, deps)
  app.post(
    '/api/builder/drafts/:id/builds',
    {
      schema: {
        summary: 'Construit le bassin versant, en tâche de fond',
        tags,
        params: one,
        response: { 200: z.object({ jobId: z.uuid() }) },
      },
    },
    async (request) => ({ jobId: await drafts.build(request.params.id, builderOf(request)) }),
  )
  for (const [ending, file, type] of [
    ['bassin.zip', 'zip', 'application/zip'],
    ['rapport.md', 'report', 'text/markdown; charset=utf-8'],
  ] as const)
    app.get(
      `/api/builder/builds/:buildId/${ending}`,
      {
        schema: {
          summary: file === 'zip' ? 'Le bassin versant construit, en zip' : 'Le rapport de sa construction',
          tags,
          params: ofBuild,
        },
      },
      async (request, reply) => {
        const { path, name } = await drafts.built(request.params.buildId, builderOf(request), file)
        return reply
          .header('content-disposition', `attachment; filename="${name}"`)
          .type(type)
          .send(createReadStream(path))
      },
    )
  app.post(
    '/api/builder/builds/:buildId/catchment',
    {
      schema: {
        summary: 'Garde le bassin construit parmi ses bassins versants',
        description: 'Mêmes contrôles que radx catchment import.',
        tags,
        params: ofBuild,
        response: { 200: catchmentUploadedSchema },
      },
    },
    async (request) => {
      const { path, name } = await drafts.built(request.params.buildId, builderOf(request), 'zip')
      return withFolder(deps.config.dataDir, async (dir) => {
        const own = { owner: readerOf(request.session as Session) }
        const done = await answers.make(importAnswer, { path, name, dir, own }, request)
        tellMore(request, { catchment: done.id, outcome: done.outcome })
        return done
      })
    },
  )
}
