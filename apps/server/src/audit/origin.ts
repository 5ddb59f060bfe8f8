import type { FastifyRequest } from 'fastify'
import { networkOf } from '../http/address.ts'
import type { Origin } from './service.ts'

/** Who calls, for the trail. */
export const originOf = (request: FastifyRequest, nowMs: number): Origin => ({
  name: request.session?.name ?? null,
  // A caller that has gone has no address any more.
  address: networkOf(request.ip ?? ''),
  via: 'page',
  at: new Date(nowMs),
})
