import { createHash } from 'node:crypto'
import { RadxError } from '@radx/contracts'
import { shortText } from '@radx/contracts/bounds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { tellOnce } from '../../audit/api.ts'
import type { App } from '../../http/app.ts'
import { allowPeriod } from '../../http/authorize.ts'
import { keepPrivate } from '../../http/caching.ts'
import { BadRequest, NotFound } from '../../http/errors.ts'
import { partOf } from '../../http/send-file.ts'
import type { Session } from '../../http/sessions.ts'
import type { FramePlace } from '../../store/frame-reader.ts'
import type { OgcContext } from '../context.ts'
import { parseInstant } from '../instants.ts'
import { zarrObject } from './store.ts'

/** The frames of a period are looked up once while its chunks are read, ms; periods of which they are kept. */
const KEPT_MS = 30_000
const KEPT_MAX = 8
/** Some 13,000 frames. */
const DAYS_MAX = 31

const inPeriod = z.object({ id: shortText(), start: shortText(), end: shortText(), key: shortText() })
const inArray = inPeriod.extend({ array: shortText() })

type Asked = z.output<typeof inPeriod>

/** Frames of a period as a Zarr store that readers open by HTTP, chunk by chunk and by ranges. */
export function registerZarr(app: App, { store, answers }: OgcContext): void {
  const periods = new LRUCache<string, Promise<FramePlace[]>>({ max: KEPT_MAX, ttl: KEPT_MS })
  const object = async (request: FastifyRequest, reply: FastifyReply, asked: Asked) => {
    const { id, start, end, key } = asked
    const span = { startMs: instantOf(start, 'start'), endMs: instantOf(end, 'end') }
    if (span.endMs <= span.startMs) throw new BadRequest('period', 'end', 'La fin doit venir après le début.')
    if (span.endMs - span.startMs > DAYS_MAX * 86_400_000)
      throw new BadRequest('periodTooLong', 'end', `La période dépasse ${DAYS_MAX} jours : la raccourcir.`)
    allowPeriod(request, new Date(span.startMs), new Date(span.endMs))
    // Who reads a store is told once in the trail, not once a chunk.
    tellOnce(request, `${(request.session as Session).name} zarr ${id} ${start} ${end}`)
    const body = await answers.prepare(request, async () => {
      const opened = await store()
      const product = opened.catalog.products.get(id)
      if (!product) throw new NotFound(`Le produit « ${id.slice(0, 80)} » n’existe pas.`)
      const name = `${id} ${span.startMs} ${span.endMs}`
      const known = periods.get(name) ?? opened.index.places(product, span)
      periods.set(name, known)
      // What failed is looked up again.
      const places = await known.catch((error) => {
        periods.delete(name)
        throw error
      })
      return zarrObject({ store: opened, product, span, places }, key)
    })
    if (body === null) throw new NotFound('Ce dépôt n’a pas cette clé.')
    return sendPart(request, reply, body)
  }
  const described = (summary: string) => ({
    summary,
    tags: ['ogc'],
    description:
      'Un dépôt Zarr (format 2) par produit et période : xarray.open_zarr(".../ogc/zarr/dpsri/2026-06-01/2026-06-02"). ' +
      'start et end : jour ou instant ISO 8601, end exclu. Un bloc par image, zstd ; NaN sans donnée, jamais 0. Range est compris.',
  })
  app.get(
    '/ogc/zarr/:id/:start/:end/:key',
    {
      schema: {
        ...described('Grilles exactes d’une période en Zarr, par HTTP et par parties (gestionnaires)'),
        params: inPeriod,
      },
    },
    (request, reply) => object(request, reply, request.params),
  )
  app.get(
    '/ogc/zarr/:id/:start/:end/:array/:key',
    { schema: { ...described('Un tableau de ces grilles, bloc par bloc (gestionnaires)'), params: inArray } },
    (request, reply) => {
      const { array, key, ...period } = request.params
      return object(request, reply, { ...period, key: `${array}/${key}` })
    },
  )
}

function instantOf(text: string, field: 'start' | 'end'): number {
  const ms = parseInstant(text)
  if (ms !== null) return ms
  throw new BadRequest(
    'datetime',
    field,
    `${field} attend un jour ou un instant ISO 8601 : 2026-06-01T10:00:00Z.`,
  )
}

/** Sends bytes, or the part of them that is asked for. @throws RadxError 416 */
function sendPart(request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
  keepPrivate(reply)
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  reply.headers({ 'accept-ranges': 'bytes', etag: tag }).type('application/octet-stream')
  const { range, 'if-range': condition } = request.headers
  const part = condition === undefined || condition === tag ? partOf(range, body.length) : null
  if (part === 'outside') {
    reply.header('content-range', `bytes */${body.length}`)
    throw new RadxError('request.range', 416, `L’objet n’a que ${body.length} octets.`)
  }
  if (part === null) return reply.send(body)
  return reply
    .code(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${body.length}`)
    .send(body.subarray(part.start, part.end + 1))
}
