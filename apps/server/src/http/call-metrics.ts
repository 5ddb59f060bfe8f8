import { Counter, Histogram, Registry } from 'prom-client'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Metrics of this process; `GET /metrics` adds those of the data. */
    metrics: Registry
  }
}

/** Seconds; the first hold what is read from memory, the last what a thread makes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Counts and times every finished call by method and route as it is declared (`/api/job/:id`), so that addresses that
 * anybody makes up add no series: what no route takes counts as route `none`, other methods as `other`.
 */
export function installCallMetrics(app: App): void {
  const metrics = new Registry()
  app.decorate('metrics', metrics)
  const calls = new Counter({
    name: 'radx_http_requests_total',
    help: 'Finished calls by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics],
  })
  const seconds = new Histogram({
    name: 'radx_http_request_duration_seconds',
    help: 'Time from the request’s head to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [metrics],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const method = METHODS.has(request.method) ? request.method : 'other'
    calls.inc({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` })
    seconds.observe({ method, route }, reply.elapsedTime / 1000)
  })
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
