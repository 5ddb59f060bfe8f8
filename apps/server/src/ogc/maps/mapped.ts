import type { Bounds } from '@radx/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowPeriod, bearerToken } from '../../http/authorize.ts'
import { keepPrivate } from '../../http/caching.ts'
import { NotFound, Unauthenticated } from '../../http/errors.ts'
import { iso } from '../../radar/api.ts'
import { type FinishedRun, finishedRun, finishedRuns } from '../../simulation/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { extentOf, type OgcContext } from '../context.ts'
import { timeOfRun } from '../features/run-features.ts'
import type { Moment } from '../frames/pictures.ts'
import type { MapWindow } from '../wms/request.ts'
import { CLASSES_FR, type RunLayer, runPictureAnswer } from './run-pictures.ts'

/** Newest finished runs that are told of without being asked for by name. */
const RUNS_LISTED = 20
const RUN = /^run\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(depth|max-depth)$/

/** What maps are made of: a product of the radar, or the water of a run. */
export interface Mapped {
  id: string
  title: string
  description: string
  bounds: Bounds
  /** First and newest moment, ms; null without any. */
  extent: { firstMs: number; newestMs: number } | null
  of: { product: StoredProduct } | { run: FinishedRun; layer: RunLayer }
}

async function ofProduct({ store }: OgcContext, product: StoredProduct): Promise<Mapped> {
  return {
    id: product.shortName,
    title: product.longName,
    description: 'Sans jeton : les trois dernières heures.',
    bounds: product.bounds,
    extent: await extentOf(await store(), product),
    of: { product },
  }
}

const LAYERS_FR: Record<RunLayer, string> = {
  depth: 'hauteurs d’eau',
  'max-depth': 'hauteurs d’eau maximales',
}

/** null where its catchment is gone. */
function ofRun(run: FinishedRun, layer: RunLayer): Mapped | null {
  if (run.ground === null) return null
  const corners = Object.values(run.ground.corners)
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
  const { startMs } = timeOfRun(run)
  return {
    id: `run.${run.id}.${layer}`,
    title: `${run.spec.title} : ${LAYERS_FR[layer]}`,
    description: CLASSES_FR,
    bounds: {
      ul: { lat: Math.max(...lats), lng: Math.min(...lngs) },
      lr: { lat: Math.min(...lats), lng: Math.max(...lngs) },
    },
    extent:
      layer === 'depth'
        ? { firstMs: startMs, newestMs: startMs + 1000 * (run.result?.run.simulatedSeconds ?? 0) }
        : null,
    of: { run, layer },
  }
}

/** Products, and for who is signed in the newest runs that the account may see. */
export async function mappedList(context: OgcContext, { session }: FastifyRequest): Promise<Mapped[]> {
  const { catalog } = await context.store()
  const products = await Promise.all([...catalog.products.values()].map((one) => ofProduct(context, one)))
  if (session === null) return products
  const runs = await finishedRuns(context.deps.db, session, RUNS_LISTED)
  const layers = ['depth', 'max-depth'] as const
  return [...products, ...runs.flatMap((run) => layers.flatMap((layer) => ofRun(run, layer) ?? []))]
}

/**
 * One by name, held against the rights and dates of who asks where it is a run; the dates of a product hold by frame.
 * @throws NotFound, Unauthenticated, Forbidden
 */
export async function mappedNamed(context: OgcContext, request: FastifyRequest, id: string): Promise<Mapped> {
  const { catalog } = await context.store()
  const product = catalog.products.get(id)
  if (product) return ofProduct(context, product)
  const [, jobId, layer] = RUN.exec(id) ?? []
  if (jobId === undefined)
    throw new NotFound(
      `La collection « ${id.slice(0, 80)} » n'existe pas : ${[...catalog.products.keys()].join(', ')}.`,
    )
  const { session } = request
  if (session === null) throw new Unauthenticated(bearerToken(request) !== undefined)
  const run = await finishedRun(context.deps.db, session, jobId)
  const found = run && ofRun(run, layer as RunLayer)
  if (!found) throw new NotFound('Cette simulation n’existe pas, ou elle n’est pas terminée.')
  if (run.period) allowPeriod(request, run.period.start, run.period.end)
  request.periodChecked = true
  return found
}

/** A picture of a run's water as PNG. Its moment stands in the header `radx-time`. @throws NotFound for a moment before or after */
export async function drawRun(
  { answers }: OgcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { of, extent }: Mapped & { of: { run: FinishedRun; layer: RunLayer } },
  { moment, window, ground }: { moment: Moment; window: MapWindow; ground: string | null },
): Promise<Buffer> {
  const { run, layer } = of
  const { startMs } = timeOfRun(run)
  if (extent && moment && (moment.atMs < startMs || (moment.fromMs ?? moment.atMs) > extent.newestMs))
    throw new NotFound(
      `Cette simulation va du ${iso(extent.firstMs)} au ${iso(extent.newestMs)} : rien à ce moment.`,
    )
  const input = {
    ...{ jobId: run.id, layer, ground, window: { ...window, crs: window.crs.code } },
    atS: moment && (moment.atMs - startMs) / 1000,
  }
  const { body, timeS } = await answers.make(runPictureAnswer, input, request)
  keepPrivate(reply)
  if (timeS !== null) reply.header('radx-time', iso(startMs + 1000 * timeS))
  reply.type('image/png')
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
