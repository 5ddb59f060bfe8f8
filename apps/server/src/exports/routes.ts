import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  geotiffBodySchema,
  graphTypeSchema,
  IMAGE_NAME_HEADER,
  instantSchema,
  jobSchema,
} from '@radx/contracts'
import { isoSeconds, zoneOffsetMs } from '@radx/locale/time'
import { cellOf, cumulate } from '@radx/rainfall'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { allowGauge } from '../http/gauge-rights.ts'
import type { Session } from '../http/sessions.ts'
import { jobOutput, jobUser } from '../jobs/api.ts'
import { acquisitionParams, catchmentQuery, periodQuery, productOf, spanOf, zoneOf } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { graphPng, type PixelValues } from './graph.ts'
import { GEOTIFF_JOB, GRID_JOB } from './grid-jobs.ts'
import { hyetogramCsv } from './hyetogram-csv.ts'
import { rasterJson } from './raster.ts'
import { fileStem, provenance, readSelection, type Selection } from './selection.ts'
import { type Gauge, spreadsheet } from './spreadsheet.ts'

/** Longest selections, days: tables stay readable, grids stay within memory and disk. */
const TABLE_DAYS = 31
const GRID_DAYS = 7
const MAX_GAUGES = 12

export function registerExports(app: App, deps: Deps): void {
  const { site, catchments } = deps
  const tags = ['exports']
  const selectionQuery = periodQuery.extend(catchmentQuery)
  const now = () => new Date(deps.clock.now())

  const select = async (query: z.infer<typeof selectionQuery>, maxDays: number) => {
    const store = await storeOf(deps)
    const product = productOf(store, query)
    const selection = await readSelection(store, product, spanOf(query, maxDays), zoneOf(catchments, query))
    if (selection.frames.length === 0)
      throw new NotFound('L’archive n’a aucune image pour cette période. Choisissez-en une autre.')
    return { store, selection, about: provenance(selection, site, now()) }
  }
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
          lat: z.coerce.number().optional(),
          lng: z.coerce.number().optional(),
        }),
      },
    },
    async (request, reply) => {
      const { query } = request
      const { store, selection } = await select(query, TABLE_DAYS)
      if (query.t === 'catchment' && !selection.zone)
        throw new BadRequest('catchment', 'c', 'Choisissez un bassin versant pour ce graphe.')
      const pixel = query.t === 'pixel' ? await pixelValues(request, store, selection, query) : null
      const png = graphPng(query.t, selection, pixel, site)
      return reply
        .header(IMAGE_NAME_HEADER, `${fileStem(selection)}-${query.t}.png`)
        .header('cache-control', 'no-store')
        .type('image/png')
        .send(png)
    },
  )

  const pixelValues = async (
    request: FastifyRequest,
    store: Store,
    { product, span, time, frames }: Selection,
    at: { lat?: number; lng?: number },
  ): Promise<PixelValues> => {
    if (at.lat === undefined || at.lng === undefined)
      throw new BadRequest('place', 'lat', 'Donnez la position du pixel par lat et lng.')
    const values = await gaugeSeries(request, store, product, span, { lat: at.lat, lng: at.lng })
    const { runningMm } = cumulate(values, time)
    return {
      points: frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: values[i] })),
      cumulMm: frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: runningMm[i] })),
      place: `${at.lat.toFixed(4).replace('.', ',')} N, ${at.lng.toFixed(4).replace('.', ',')} E`,
    }
  }

  /** One value a frame; the account must be allowed to have a gauge there. */
  const gaugeSeries = async (
    request: FastifyRequest,
    store: Store,
    product: StoredProduct,
    span: Selection['span'],
    point: { lat: number; lng: number },
  ) => {
    await allowGauge(deps.db, request.session as Session, point, catchments)
    const cell = cellOf(product, point)
    if (!cell) throw new BadRequest('place', 'lat', 'Ce point est hors du produit radar.')
    const series = await store.pixels.read(product, cell.row, cell.col, span)
    return series.map(({ rateMmH }) => rateMmH)
  }

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
        }),
      },
    },
    async (request, reply) => {
      const { query } = request
      const { store, selection, about } = await select(query, TABLE_DAYS)
      const { product, span, zone, time } = selection
      const wanted = zone ? [zone, ...(zone.parent === null ? catchments.childrenOf(zone.key) : [])] : []
      const zones = await Promise.all(
        wanted.map(async (z) => ({ zone: z, selection: await readSelection(store, product, span, z) })),
      )
      const gauges: Gauge[] = []
      for (const point of gaugePoints(query.g)) {
        const values = await gaugeSeries(request, store, product, span, point)
        gauges.push({ ...point, values, totalMm: cumulate(values, time).totalMm })
      }
      const buffer = await spreadsheet({
        title: query.title || fileStem(selection),
        selection,
        zones,
        gauges,
        params: await acquisitionParams(deps.db, product, span.startMs),
        provenance: about,
        offsetMs: (ms) => zoneOffsetMs(ms, site.timeZone),
      })
      return attach(
        reply,
        `${fileStem(selection)}.xlsx`,
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ).send(buffer)
    },
  )

  app.get(
    '/api/products/hyetogram.csv',
    { schema: { summary: 'Hyétogrammes de la sélection en CSV', tags, querystring: selectionQuery } },
    async ({ query }, reply) => {
      const { selection, about } = await select(query, 366)
      return attach(reply, `${fileStem(selection)}.csv`, 'text/csv; charset=utf-8').send(
        hyetogramCsv(selection, about),
      )
    },
  )

  app.get(
    '/api/products/raster',
    {
      schema: {
        summary: 'Pixels autour d’un bassin (4 km) en JSON, pour les gestionnaires',
        tags,
        querystring: selectionQuery,
      },
    },
    async ({ query }, reply) => {
      const { store, selection, about } = await select(query, TABLE_DAYS)
      const { zone } = selection
      if (!zone)
        throw new BadRequest(
          'catchment',
          'c',
          'Choisissez un bassin versant : le raster couvre ses environs.',
        )
      const json = rasterJson(store, selection, zone, zone.parent ?? zone.key, about)
      return attach(reply, `${fileStem(selection)}-raster.json`, 'application/json; charset=utf-8').send(
        Readable.from(json),
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
      productOf(await storeOf(deps), { p: request.body.product })
      return deps.jobs.queue().submit(GEOTIFF_JOB, request.body, jobUser(request.session as Session))
    },
  )

  const gridBody = z.object({
    product: z.string(),
    start: instantSchema,
    end: instantSchema,
    format: z.enum(['netcdf', 'zarr']),
  })
  app.post(
    '/api/job/exportgrid',
    {
      schema: {
        summary: 'Une période en CF-netCDF4 ou Zarr v3 (tâche)',
        tags,
        body: gridBody,
        response: { 200: jobSchema },
      },
    },
    async (request) => {
      const { product, start, end } = request.body
      spanOf({ s: start, e: end }, GRID_DAYS)
      allowPeriod(request, new Date(start), new Date(end))
      productOf(await storeOf(deps), { p: product })
      return deps.jobs.queue().submit(GRID_JOB, request.body, jobUser(request.session as Session))
    },
  )

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
    await deps.jobs.queue().visible(row.id, jobUser(request.session as Session))
    const { files } = await storeOf(deps)
    const dir = await files.folder(jobOutput(row.id))
    const path = join(dir ?? '', result)
    if (dir === null || !(await stat(path).catch(() => null)))
      throw new NotFound('Ce fichier n’existe plus. Relancez l’export.')
    request.periodChecked = true
    return attach(reply, result, result.endsWith('.tif') ? 'image/tiff' : 'application/octet-stream').send(
      createReadStream(path),
    )
  }
  const resultParams = z.object({ result: z.string().regex(/^[\w.-]{1,120}$/) })
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

function gaugePoints(text: string): { lat: number; lng: number }[] {
  const points = text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => part.split(',').map(Number))
  if (points.length > MAX_GAUGES || points.some((p) => p.length !== 2 || p.some((v) => !Number.isFinite(v))))
    throw new BadRequest(
      'gauges',
      'g',
      `Donnez au plus ${MAX_GAUGES} pluviomètres sous la forme lat,lng;lat,lng.`,
    )
  return points.map(([lat, lng]) => ({ lat, lng }))
}
