import type { AuditAction } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { App, Deps } from '../http/app.ts'
import { originOf } from './origin.ts'
import { record } from './service.ts'

/** Calls whose success leaves a line, by `METHOD path`. What accounts do is told where it is done. */
export const TOLD: Record<string, AuditAction> = {
  'GET /api/products/raster': 'data.exact',
  'POST /api/job/exportgeotiff': 'data.exact',
  'POST /api/job/exportgrid': 'data.exact',
  'GET /images/exportgeotiff/:result': 'data.exact',
  'GET /images/exportgrid/:result': 'data.exact',
  'GET /ogc/edr/collections/:id/area': 'data.exact',
  'GET /ogc/edr/collections/:id/cube': 'data.exact',
  'GET /ogc/edr/collections/:id/trajectory': 'data.exact',
  'GET /ogc/zarr/:id/:start/:end/:key': 'data.exact',
  'GET /ogc/zarr/:id/:start/:end/:array/:key': 'data.exact',
  'GET /api/products/export.xlsx': 'data.export',
  'GET /api/products/graph': 'data.export',
  'GET /api/products/hyetogram.csv': 'data.export',
  'GET /api/gauges/adjusted.csv': 'data.export',
  'GET /api/mrr/export/:datetime': 'data.export',
  'GET /api/reports/event.pdf': 'data.export',
  'GET /api/reports/run/:jobId/:file': 'data.export',
  'GET /api/multihydro/file/:jobId/max-depth.tif': 'data.export',
  'GET /api/multihydro/file/:jobId/max-depth.csv': 'data.export',
  'POST /api/multihydro/catchments': 'data.change',
  'POST /api/multihydro/rains': 'item.write',
  'DELETE /api/multihydro/rains/:rainId': 'item.delete',
  'POST /api/builder/builds/:buildId/catchment': 'data.change',
  'POST /api/job/reprocessing': 'data.change',
  'DELETE /api/reprocessing/:name': 'data.change',
  'POST /api/job/multihydro': 'run.submit',
  'POST /api/multihydro/batteries': 'run.submit',
  'POST /api/multihydro/batteries/:id/cancel': 'run.cancel',
  'DELETE /api/multihydro/batteries/:id': 'run.delete',
  'GET /api/multihydro/batteries/:id/resultats.zip': 'data.export',
  'POST /api/job/what-if': 'run.submit',
  'POST /api/networks/:id/runs': 'run.submit',
  'POST /api/builder/drafts/:id/builds': 'run.submit',
  'POST /api/job/:id/cancel': 'run.cancel',
  'DELETE /api/job/:id': 'run.delete',
  'PUT /api/multihydro/:jobId/title': 'item.write',
  'PUT /api/multihydro/:jobId/comment': 'item.write',
  'DELETE /api/multihydro/file/:id': 'item.delete',
  'PUT /api/users/events': 'item.write',
  'PUT /api/users/events/:id': 'item.write',
  'PUT /api/storms/tables': 'item.write',
  'PUT /api/gauges': 'item.write',
  'POST /api/catchment-packages': 'item.write',
  'PUT /api/catchment-packages/:catchmentId/name': 'item.write',
  'PUT /api/catchment-packages/:catchmentId/sharing': 'item.write',
  'DELETE /api/catchment-packages/:catchmentId': 'item.delete',
  'GET /api/catchment-packages/:catchmentId/package.zip': 'data.export',
  'POST /api/networks': 'item.write',
  'POST /api/networks/:id/versions': 'item.write',
  'PUT /api/networks/:id/name': 'item.write',
  'PUT /api/networks/:id/crs': 'item.write',
  'POST /api/observations': 'item.write',
  'DELETE /api/observations/:id': 'item.delete',
  'POST /api/calibrations': 'item.write',
  'POST /api/calibrations/:id/resume': 'item.write',
  'DELETE /api/calibrations/:id': 'item.delete',
  'POST /api/builder/drafts': 'item.write',
  'POST /api/builder/drafts/:id/files': 'item.write',
  'POST /api/alerts/rules': 'item.write',
  'PUT /api/alerts/rules/:id': 'item.write',
  'POST /api/alerts/:id/acknowledge': 'item.write',
  'POST /api/alerts/:id/snooze': 'item.write',
  'POST /api/alerts/:id/end': 'item.write',
  'DELETE /api/alerts/rules/:id': 'item.delete',
  'PUT /api/alerts/person': 'setting.change',
  'POST /api/alerts/person/confirm': 'setting.change',
  'POST /api/alerts/push': 'setting.change',
  'DELETE /api/alerts/push/:id': 'setting.change',
  'POST /api/alerts/webhooks': 'setting.change',
  'DELETE /api/alerts/webhooks/:id': 'setting.change',
  'POST /api/alerts/webhooks/:id/test': 'setting.change',
  'DELETE /api/users/events/:id': 'item.delete',
  'DELETE /api/storms/tables/:id': 'item.delete',
  'DELETE /api/gauges/:id': 'item.delete',
  'DELETE /api/networks/:id': 'item.delete',
  'DELETE /api/builder/drafts/:id': 'item.delete',
  'DELETE /api/builder/drafts/:id/files/:name': 'item.delete',
  'POST /api/gauges/:id/flags': 'setting.change',
  'DELETE /api/gauges/flags/:id': 'setting.change',
  'PUT /api/ahead/:catchmentId': 'setting.change',
  'PUT /api/article/home-message': 'setting.change',
  'PUT /api/users/csv': 'setting.change',
}

/** Fields of a query or body that say what was asked for. */
const FIELDS = [
  'p',
  'product',
  's',
  'e',
  'start',
  'end',
  'date',
  'format',
  'datetime',
  'bbox',
  'coords',
  'title',
  'name',
  'catchment',
  'csv',
]

/** A line is written before the answer goes: nothing is handed out that left none. */
export function installAuditTrail(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const lately = new LRUCache<string, true>({ max: ONCE_MAX, ttl: ONCE_MS })
  app.addHook('onSend', async (request, reply, payload) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const action = TOLD[`${method} ${request.routeOptions.url}`]
    const key = once.get(request)
    if (action === undefined || reply.statusCode >= 400 || (key !== undefined && lately.has(key)))
      return payload
    await record(db, originOf(request, clock.now()), {
      action,
      ...whatOf(request, action, payload),
    })
    if (key !== undefined) lately.set(key, true)
    return payload
  })
}

/** Calls of which one line an hour tells, by what they share: parts of a file that somebody reads. */
const once = new WeakMap<FastifyRequest, string>()
export const tellOnce = (request: FastifyRequest, key: string) => once.set(request, key)
const ONCE_MS = 3_600_000
const ONCE_MAX = 10_000

/** What the handler of a call knows of it that its query and body do not say. */
const more = new WeakMap<FastifyRequest, Record<string, string>>()
export const tellMore = (request: FastifyRequest, details: Record<string, string>) =>
  more.set(request, details)

/** A line on a run names the run, also the one that the call made; other lines name the address. */
function whatOf(
  request: FastifyRequest,
  action: AuditAction,
  payload: unknown,
): { subject: string; details: Record<string, string> } {
  const { id, jobId = id } = request.params as { id?: string; jobId?: string }
  const run = action.startsWith('run.') ? (jobId ?? madeBy(payload)) : undefined
  return {
    subject: run ?? request.url.split('?', 1)[0],
    details: { ...detailsOf(request), ...more.get(request) },
  }
}

/** `id` of what an answer says that it made. */
function madeBy(payload: unknown): string | undefined {
  if (typeof payload !== 'string') return undefined
  const { id } = JSON.parse(payload) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

function detailsOf({ query, body }: FastifyRequest): Record<string, string> {
  const given = { ...(query as object), ...(body !== null && typeof body === 'object' ? body : {}) }
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const text = value instanceof Date ? value.toISOString() : value
      return FIELDS.includes(key) && typeof text === 'string' ? [[key, text]] : []
    }),
  )
}
