import {
  cellSeriesSchema,
  RUN_MAP_NAMES,
  runFiguresSchema,
  runFlowsSchema,
  runMeasuresSchema,
  sectionFlowSchema,
  sewerMomentsSchema,
  sewerPeaksSchema,
  streetDepthsSchema,
} from '@radx/contracts'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import { sendGrid } from '../../http/send-grid.ts'
import type { ResultMaker } from './result-maker.ts'
import type { MayRead } from './results.ts'

/** What the workspace of a finished run shows: figures, maps over the whole run, the network, a cell over time. */
export function registerWorkspace(app: App, { make, sendJson }: ResultMaker, mayRead: MayRead): void {
  const tags = ['simulation']
  const job = z.object({ jobId: z.uuid() })
  const map = job.extend({ map: z.enum(RUN_MAP_NAMES) })

  app.get(
    '/api/multihydro/file/:jobId/figures',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Chiffres clés d’une simulation terminée',
        tags,
        params: job,
        response: { 200: runFiguresSchema },
      },
    },
    (request, reply) => sendJson({ of: 'figures', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/flows',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Pluie, débits et volumes au cours du temps',
        tags,
        params: job,
        response: { 200: runFlowsSchema },
      },
    },
    (request, reply) => sendJson({ of: 'flows', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/geopackage',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Mailles inondées, regards et conduites avec leurs maximums, en GeoPackage',
        tags,
        params: job,
      },
    },
    async (request, reply) =>
      reply
        .header('content-disposition', 'attachment; filename="simulation.gpkg"')
        .type('application/geopackage+sqlite3')
        .send(await make({ of: 'geopackage', ...request.params }, request)),
  )

  app.get(
    '/api/multihydro/file/:jobId/netcdf',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Cartes de la simulation et hauteurs d’eau au cours du temps, en CF-netCDF',
        tags,
        params: job,
      },
    },
    async (request, reply) =>
      reply
        .header('content-disposition', 'attachment; filename="simulation.nc"')
        .type('application/x-netcdf')
        .send(await make({ of: 'netcdf', ...request.params }, request)),
  )

  app.get(
    '/api/multihydro/file/:jobId/sewer',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Maximums, débordements et mises en charge du réseau',
        tags,
        params: job,
        response: { 200: sewerPeaksSchema },
      },
    },
    (request, reply) => sendJson({ of: 'sewer', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/sewer/moments',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Le réseau au cours du temps : instants, conduites et regards',
        tags,
        params: job,
        response: { 200: sewerMomentsSchema },
      },
    },
    (request, reply) => sendJson({ of: 'sewer-moments', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/sewer/moments/codes',
    {
      preHandler: mayRead,
      schema: {
        summary:
          'Remplissage des conduites (%, 100 en charge, 255 sans section) puis débordement des regards (l/s) à ces instants, un octet chacun',
        tags,
        params: job,
      },
    },
    async (request, reply) =>
      sendGrid(request, reply, await make({ of: 'sewer-codes', ...request.params }, request)),
  )

  app.get(
    '/api/multihydro/file/:jobId/streets',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Rues inondées, par leur nom, là où le bassin versant les nomme',
        tags,
        params: job,
        response: { 200: streetDepthsSchema },
      },
    },
    (request, reply) => sendJson({ of: 'streets', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/measures',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Ouvrages de stockage : ce que chacun a reçu, gardé, infiltré et rendu',
        tags,
        params: job,
        response: { 200: runMeasuresSchema },
      },
    },
    (request, reply) => sendJson({ of: 'measures', ...request.params }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/cell',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Hauteur d’eau d’une cellule au cours du temps (m)',
        tags,
        params: job,
        querystring: z.object({
          row: z.coerce.number().int().min(0).max(1_000_000),
          col: z.coerce.number().int().min(0).max(1_000_000),
        }),
        response: { 200: cellSeriesSchema },
      },
    },
    (request, reply) => sendJson({ of: 'cell', ...request.params, ...request.query }, request, reply),
  )

  const ordinate = z.coerce.number().min(0).max(1_000_000)
  app.get(
    '/api/multihydro/file/:jobId/section',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Débit à travers une ligne au cours du temps (m³/s), en cellules depuis le coin nord-ouest',
        tags,
        params: job,
        querystring: z.object({ x1: ordinate, y1: ordinate, x2: ordinate, y2: ordinate }),
        response: { 200: sectionFlowSchema },
      },
    },
    (request, reply) => sendJson({ of: 'section', ...request.params, ...request.query }, request, reply),
  )

  app.get(
    '/api/multihydro/file/:jobId/map/:map',
    {
      preHandler: mayRead,
      schema: {
        summary: 'Une carte de toute la simulation : uint16 petit-boutiste, 65535 sans valeur',
        tags,
        params: map,
      },
    },
    async (request, reply) => sendGrid(request, reply, await make({ of: 'map', ...request.params }, request)),
  )

  app.get(
    '/api/multihydro/file/:jobId/map/:map/geotiff',
    { preHandler: mayRead, schema: { summary: 'La même carte en GeoTIFF', tags, params: map } },
    async (request, reply) =>
      reply
        .header('content-disposition', `attachment; filename="${request.params.map}.tif"`)
        .type('image/tiff')
        .send(await make({ of: 'map.tif', ...request.params }, request)),
  )
}
