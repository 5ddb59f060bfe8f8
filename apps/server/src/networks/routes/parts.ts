import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../../http/app.ts'
import { allowPeriod } from '../../http/authorize.ts'
import type { Session } from '../../http/sessions.ts'

export { receiveUpload } from '../../http/uploads.ts'

import { type JobUser, jobUser } from '../../jobs/api.ts'
import type { NetworkAsked } from '../answers.ts'
import type { Networks } from '../service.ts'

export const tags = ['networks']
export const one = z.object({ id: z.uuid() })
export const versioned = one.extend({ version: z.coerce.number().int().min(1).max(1_000_000) })
export const ofRun = z.object({ jobId: z.uuid() })
export const nothing = { 204: z.null() }
export const userOf = (request: FastifyRequest): JobUser => jobUser(request.session as Session)

/** What the parts of the routes share. */
export interface Parts {
  app: App
  deps: Deps
  networks: Networks
  /** Has an answer made in a thread. */
  make(asked: NetworkAsked, request: FastifyRequest): Promise<Uint8Array>
  sendJson(asked: NetworkAsked, request: FastifyRequest, reply: FastifyReply): Promise<never>
}

export const uploadName = z.object({ name: z.string().min(1).max(200) })

/** A finished run whose rain is held against the reader's dates. */
export async function held(networks: Networks, jobId: string, request: FastifyRequest) {
  const found = await networks.finished(jobId, userOf(request))
  const period = found.period
  if (period) allowPeriod(request, period.start, period.end)
  request.periodChecked = true
  return found
}
