import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  geotiffBodySchema,
  graphTypeSchema,
  IMAGE_NAME_HEADER,
  instantSchema,
  jobSchema,
  keptExportSchema,
  type LatLng,
  rainMethodSchema,
} from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { EXPORT_CSV_DAYS, EXPORT_GRID_DAYS, EXPORT_TABLE_DAYS } from '@radx/contracts/constants'
import { adjustKeySchema } from '@radx/contracts/gauges'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { tellOnce } from '../audit/api.ts'
import { adjustmentOfKey } from '../gauges/api.ts'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { dialectOf, sendCsv } from '../http/csv.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { allowGauge, gaugePoints } from '../http/gauge-rights.ts'
import { pageOf, pageQuery, placeOf } from '../http/page.ts'
import { asksForPart, sendFile } from '../http/send-file.ts'
import type { Session } from '../http/sessions.ts'
import { jobOutput, jobUser } from '../jobs/api.ts'
import { catchmentQuery, periodQuery, productOf, spanOf, zoneOf } from '../radar/api.ts'
import { checkFolder } from '../store/folder-checksums.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { csvAnswer, graphAnswer, type SelectionQuery, spreadsheetAnswer } from './answers.ts'
import { GEOTIFF_JOB, GRID_JOB } from './grid-jobs.ts'
import { keptExports } from './kept.ts'
import { rasterHeadAnswer, rasterPartAnswer, rasterParts } from './raster.ts'

/** Exports whose checksum was looked at, and for how long a reader of parts is spared another look. */
const LOOKED_MAX = 1_000
const LOOKED_MS = 10 * 60_000

export function registerExports(app: App, deps: Deps): void {
  const { catchments } = deps
  const tags = ['exports']
  const selectionQuery = periodQuery.extend({
    ...catchmentQuery,
    /** Totals of rain moved between frames, or of frames that stand still. */
    method: rainMethodSchema.optional(),
  })
  const adjustableQuery = selectionQuery.extend({
    /** Beside the original, or instead of it in a raster: the product adjusted to gauges. */
    adjust: adjustKeySchema.optional(),
  })
  const answers = answersOf(app, deps)

  /** What a table asks for, looked at before it waits in line. */
  const checked = async (query: SelectionQuery, maxDays: number): Promise<SelectionQuery> => {
    const { p, s, e, c, sc, method } = query
    productOf(await storeOf(deps), query)
    spanOf(query, maxDays)
    zoneOf(catchments, query)
    return { p, s, e, ...(c ? { c } : {}), ...(sc ? { sc } : {}), ...(method ? { method } : {}) }
  }
  /** The point of a gauge; the account must be allowed to have one there. */
  const gaugeAt = async (request: FastifyRequest, point: LatLng): Promise<LatLng> => {
    await allowGauge(deps.db, request.session as Session, point, catchments)
    return point
  }
  /** The adjusted product that a call names with its selection. */
  const adjustedOf = (request: FastifyRequest, query: SelectionQuery, adjust: string | undefined) =>
    adjustmentOfKey(deps, request, adjust, { product: query.p, span: spanOf(query, EXPORT_TABLE_DAYS) })
  const attach = (reply: FastifyReply, name: string, type: string) =>
    reply.header('content-disposition', `attachment; filename="${name}"`).type(type)

  app.get(
    '/api/products/graph',
    {
      schema: {
        summary: 'Un graphe de la sélection en PNG, à la qualité d’impression',
        tags,
        querystring: selectionQuery.extend({
          t: graphTypeSchema,
          /** The product adjusted to gauges instead of the original. */
          adjust: adjustKeySchema.optional(),
          lat: z.coerce.number().optional(),
          lng: z.coerce.number().optional(),
        }),
      },
    },
    async (request, reply) => {
      const { t: type, lat, lng, adjust, ...rest } = request.query
      const query = await checked(rest, EXPORT_TABLE_DAYS)
      if (type === 'catchment' && !query.c)
        throw new BadRequest('catchment', 'c', 'Choisissez un bassin versant pour ce graphe.')
      if (type === 'pixel' && (lat === undefined || lng === undefined))
        throw new BadRequest('place', 'lat', 'Donnez la position du pixel par lat et lng.')
      const point = type === 'pixel' ? await gaugeAt(request, { lat: lat!, lng: lng! }) : null
      const adjusted = await adjustedOf(request, query, adjust)
      const { name, body } = await answers.make(graphAnswer, { query, type, point, adjusted }, request)
      return reply
        .header(IMAGE_NAME_HEADER, name)
        .header('cache-control', 'no-store')
        .type('image/png')
        .send(body)
    },
  )

  app.get(
    '/api/products/export.xlsx',
    {
      schema: {
        summary:
          'La sélection en classeur : synthèse, images, bassins, pluviomètres, acquisition, provenance',
        tags,
        querystring: selectionQuery.extend({
          /** Gauges as `lat,lng;lat,lng`. */
          g: z.string().max(600).default(''),
          title: z.string().max(1024).default(''),
          /** A sheet more, with the product adjusted to gauges. */
          adjust: adjustKeySchema.optional(),
        }),
      },
    },
    async (request, reply) => {
      const { g, title, adjust, ...rest } = request.query
      const query = await checked(rest, EXPORT_TABLE_DAYS)
      const gauges = await Promise.all(gaugePoints(g).map((point) => gaugeAt(request, point)))
      const adjusted = await adjustedOf(request, query, adjust)
      const { name, body } = await answers.make(
        spreadsheetAnswer,
        { query, gauges, title, adjusted },
        request,
      )
      return attach(reply, name, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet').send(
        body,
      )
    },
  )

  app.get(
    '/api/products/hyetogram.csv',
    {
      schema: {
        summary: 'Hyétogrammes de la sélection en CSV',
        tags,
        querystring: adjustableQuery,
      },
    },
    async (request, reply) => {
      const { adjust, ...rest } = request.query
      const query = await checked(rest, adjust ? EXPORT_TABLE_DAYS : EXPORT_CSV_DAYS)
      const adjusted = adjust ? await adjustedOf(request, query, adjust) : null
      const dialect = dialectOf(request)
      const { name, body } = await answers.make(csvAnswer, { query, dialect, adjusted }, request)
      return sendCsv(reply, name, body)
    },
  )

  app.get(
    '/api/products/raster',
    {
      schema: {
        summary: 'Pixels autour d’un bassin (4 km) en JSON, pour les gestionnaires',
        tags,
        querystring: adjustableQuery,
      },
    },
    async (request, reply) => {
      const { adjust, ...rest } = request.query
      const query = await checked(rest, EXPORT_TABLE_DAYS)
      const adjusted = await adjustedOf(request, query, adjust)
      const { name, body, times } = await answers.make(rasterHeadAnswer, { query, adjusted }, request)
      const pieces = async function* () {
        yield body
        for (const [k, part] of rasterParts(times).entries()) {
          yield k === 0 ? '\n' : ',\n'
          yield (await answers.make(rasterPartAnswer, { query, times: part, adjusted }, request)).body
        }
        yield '\n]}\n'
      }
      return attach(reply, name, 'application/json; charset=utf-8').send(
        Readable.from(pieces(), { objectMode: false }),
      )
    },
  )

  app.post(
    '/api/job/exportgeotiff',
    {
      schema: {
        summary: 'Une image en GeoTIFF (tâche)',
        tags,
        body: geotiffBodySchema,
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const at = new Date(request.body.date)
      allowPeriod(request, at, new Date(at.getTime() + 1))
      const { product, adjust, ws, we, ...body } = request.body
      productOf(await storeOf(deps), { p: product })
      const span = { startMs: at.getTime(), endMs: at.getTime() + 1 }
      const hours = deps.site.adjustment.windowHours * 3_600_000
      const around = [at.getTime() - hours, at.getTime() + hours].map((ms) => new Date(ms).toISOString())
      const adjusted = await adjustmentOfKey(deps, request, adjust, {
        product,
        span,
        ...(adjust && { period: spanOf({ s: ws ?? around[0], e: we ?? around[1] }, EXPORT_TABLE_DAYS) }),
      })
      const input = { ...body, product, ...(adjusted && { adjusted }) }
      return deps.jobs.queue().submit(GEOTIFF_JOB, input, jobUser(request.session as Session))
    },
  )

  const gridBody = z.object({
    product: shortText(),
    start: instantSchema,
    end: instantSchema,
    format: z.enum(['netcdf', 'zarr', 'odim']),
    /** The product adjusted to gauges instead of the original. */
    adjust: adjustKeySchema.optional(),
  })
  app.post(
    '/api/job/exportgrid',
    {
      schema: {
        summary: 'Une période en CF-netCDF4, Zarr v3 ou composites ODIM (tâche)',
        tags,
        body: gridBody,
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { adjust, ...body } = request.body
      const { product, start, end } = body
      const span = spanOf({ s: start, e: end }, EXPORT_GRID_DAYS)
      allowPeriod(request, new Date(start), new Date(end))
      productOf(await storeOf(deps), { p: product })
      const adjusted = await adjustmentOfKey(deps, request, adjust, { product, span })
      const input = { ...body, ...(adjusted && { adjusted }) }
      return deps.jobs.queue().submit(GRID_JOB, input, jobUser(request.session as Session))
    },
  )

  app.get(
    '/api/jobs/exports',
    {
      schema: {
        summary: 'Ses exports gardés, les plus récents d’abord ; l’en-tête radx-next donne la suite',
        tags,
        querystring: pageQuery,
        response: { 200: list(keptExportSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const { name } = request.session as Session
      const { exports: days } = deps.config.retention
      const rows = await keptExports(deps.db, name, days, placeOf(cursor), limit)
      return pageOf(rows, limit, reply).map(({ item }) => item)
    },
  )

  /** Files that were held against their checksum a moment ago. */
  const looked = new LRUCache<string, true>({ max: LOOKED_MAX, ttl: LOOKED_MS })
  const download = async (kind: string, result: string, request: FastifyRequest, reply: FastifyReply) => {
    const row = await deps.db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', kind)
      .where('status', '=', 'done')
      .where('result', '=', JSON.stringify(result) as never)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    if (!row) throw new NotFound('Ce fichier n’existe pas ou plus. Relancez l’export.')
    const queue = deps.jobs.queue()
    await queue.visible(row.id, jobUser(request.session as Session))
    // Dates may have been narrowed since, or the export be somebody else's.
    const { start, end } = queue.radarPeriod(row)!
    allowPeriod(request, start, end)
    const { files } = await storeOf(deps)
    const dir = await files.folder(jobOutput(row.id))
    const path = join(dir ?? '', result)
    if (dir === null || !(await stat(path).catch(() => null)))
      throw new NotFound('Ce fichier n’existe plus. Relancez l’export.')
    const tag = `"${row.id}"`
    // Who reads a file part by part has it looked at, and told in the trail, once in a while.
    const isPart = asksForPart(request, tag)
    if (isPart) tellOnce(request, `${(request.session as Session).name} ${row.id}`)
    if (!isPart || !looked.has(row.id)) await checkFolder(dir, [result])
    looked.set(row.id, true)
    attach(reply, result, result.endsWith('.tif') ? 'image/tiff' : 'application/octet-stream')
    return sendFile(request, reply, path, tag)
  }
  const resultParams = z.object({
    result: z.string().regex(/^[\w.-]{1,120}$/, 'ce n’est pas un nom de fichier'),
  })
  app.get(
    '/images/exportgeotiff/:result',
    { schema: { summary: 'Télécharge un GeoTIFF exporté', tags, params: resultParams } },
    (request, reply) => download(GEOTIFF_JOB, request.params.result, request, reply),
  )
  app.get(
    '/images/exportgrid/:result',
    { schema: { summary: 'Télécharge une grille exportée', tags, params: resultParams } },
    (request, reply) => download(GRID_JOB, request.params.result, request, reply),
  )
}
