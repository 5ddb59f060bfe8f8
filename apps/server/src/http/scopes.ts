import type { TokenScope } from '@radx/contracts'
import { type Right, rightOf } from './rights.ts'

/** Calls that give exact grids, which a manager's token needs a scope of its own for. */
const GRIDS = new Set([
  'GET /api/products/raster',
  'POST /api/job/exportgeotiff',
  'POST /api/job/exportgrid',
  'GET /images/exportgeotiff/:result',
  'GET /images/exportgrid/:result',
  'GET /api/jobs/exports',
  'GET /ogc/edr/collections/:id/area',
  'GET /ogc/edr/collections/:id/cube',
  'GET /ogc/edr/collections/:id/trajectory',
  'GET /ogc/zarr/:id/:start/:end/:key',
  'GET /ogc/zarr/:id/:start/:end/:array/:key',
])

/** Calls that send what they ask for in a body, and change nothing. */
const READS = new Set(['POST /ogc/stac/search'])

/** What of `/api/users/` is no matter of the account's safety. */
const OPEN_TO_TOKENS = ['/api/users/events']

/** Where the account's alerts go, which a token that was taken must not change. */
const RECIPIENTS = ['/api/alerts/person', '/api/alerts/push']

/**
 * What a personal access token must be allowed for a call; null for calls that take a session only. Everything of
 * `/api/users/` but saved events is one's own safety: a token changes neither passwords nor tokens.
 */
export function scopeOf(
  method: string,
  path: string,
  right: Right | undefined = rightOf(method, path),
): TokenScope | null {
  const verb = method === 'HEAD' ? 'GET' : method
  if (RECIPIENTS.some((own) => path.startsWith(own))) return null
  if (path.startsWith('/api/users/') && !OPEN_TO_TOKENS.some((open) => path.startsWith(open))) return null
  if (GRIDS.has(`${verb} ${path}`)) return 'grids'
  if (right?.access === 'manager') return 'manage'
  return verb === 'GET' || READS.has(`${verb} ${path}`) ? 'read' : 'run'
}
