import { luseComparisonSchema, luseDataSchema, luseFileSchema, maskSchema } from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { readerOf } from '../../http/catchment-rights.ts'
import { pageOf, pageQuery, placeOf } from '../../http/page.ts'
import type { Session } from '../../http/sessions.ts'
import { jobUser } from '../../jobs/api.ts'
import type { LandUses } from './land-uses.ts'

/** Maps of land use: as files, as rows for the editor, as pictures, and compared. */
export function registerLandUses(app: App, landUses: LandUses): void {
  const tags = ['simulation']
  const file = z.object({ id: z.uuid() })

  app.get(
    '/api/multihydro/files',
    {
      schema: {
        summary: 'Cartes d’occupation des sols d’un bassin ; l’en-tête radx-next donne la suite',
        tags,
        querystring: pageQuery.extend({
          c: z.string().max(64),
          n: z.literal('luse.asc').default('luse.asc'),
        }),
        response: { 200: list(luseFileSchema) },
      },
    },
    async ({ query }, reply) => {
      const rows = await landUses.files(query.c, placeOf(query.cursor), query.limit)
      return pageOf(rows, query.limit, reply).map(({ item }) => item)
    },
  )

  app.delete(
    '/api/multihydro/file/:id',
    {
      schema: {
        summary: 'Supprime une carte d’occupation des sols dont aucune simulation ne se sert',
        tags,
        params: file,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await landUses.remove(request.params.id, jobUser(request.session as Session))
      return reply.status(204).send(null)
    },
  )

  app.get(
    '/api/multihydro/file/:id',
    {
      schema: {
        summary: 'Une carte d’occupation des sols',
        tags,
        params: file,
        response: { 200: luseFileSchema },
      },
    },
    ({ params }) => landUses.file(params.id),
  )

  app.get(
    '/api/multihydro/file/:id/data',
    { schema: { summary: 'La carte en grille ESRI ASCII (luse.asc)', tags, params: file } },
    async ({ params }, reply) =>
      reply
        .header('content-disposition', 'attachment; filename="luse.asc"')
        .type('text/plain; charset=utf-8')
        .send(await landUses.text(params.id)),
  )

  const yes = z.enum(['true', 'false']).default('false')
  app.get(
    '/api/multihydro/file/:id/dataJson',
    {
      schema: {
        summary: 'La carte en lignes, avec le relief et la table des codes sur demande',
        tags,
        params: file,
        querystring: z.object({ elevation: yes, allCodes: yes }),
        response: { 200: luseDataSchema },
      },
    },
    ({ params, query }) =>
      landUses.data(params.id, {
        elevation: query.elevation === 'true',
        allCodes: query.allCodes === 'true',
      }),
  )

  app.get(
    '/api/multihydro/file/:id/imageluse',
    {
      schema: {
        summary: 'Adresse de l’image de la carte, pour la vue 3D',
        tags,
        params: file,
        response: { 200: z.object({ path: shortText() }) },
      },
    },
    async ({ params }) => {
      await landUses.file(params.id)
      return { path: `/api/multihydro/file/${params.id}/image.jpg` }
    },
  )

  app.get(
    '/api/multihydro/file/:id/image.jpg',
    { schema: { summary: 'Image de la carte, un pixel par cellule', tags, params: file } },
    async ({ params }, reply) =>
      reply
        .header('cache-control', 'private, max-age=86400')
        .type('image/jpeg')
        .send(await landUses.jpeg(params.id)),
  )

  app.get(
    '/api/multihydro/file/mask/:caseStudyId',
    {
      schema: {
        summary: 'Cellules modifiables d’un cas d’étude',
        tags,
        params: z.object({ caseStudyId: z.string().max(64) }),
        response: { 200: maskSchema },
      },
    },
    async ({ params, session }) => ({
      data: await landUses.mask(params.caseStudyId, readerOf(session as Session)),
    }),
  )

  app.get(
    '/api/multihydro/file/compare',
    {
      schema: {
        summary: 'Changements d’occupation des sols par rapport à la carte du bassin',
        tags,
        querystring: z.object({
          catchmentId: z.string().max(64),
          luseId: z.uuid(),
          caseStudyId: z.string().max(64).default(''),
        }),
        response: { 200: luseComparisonSchema },
      },
    },
    ({ query }) => landUses.compare(query.catchmentId, query.luseId, query.caseStudyId),
  )
}
