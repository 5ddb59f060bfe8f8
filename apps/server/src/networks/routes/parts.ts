import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App, Deps } from '../../http/app.ts'
import { allowPeriod } from '../../http/authorize.ts'
import { BadRequest } from '../../http/errors.ts'
import type { Session } from '../../http/sessions.ts'
import { receiveFile, uploads } from '../../http/uploads.ts'
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

/** Has a body of bytes on disk while `use` runs. */
export async function receiveUpload<T>(
  request: FastifyRequest,
  { config }: Deps,
  maxBytes: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const announced = Number.isNaN(length) ? null : length
  return uploads.run(userOf(request).name, announced, (take) =>
    receiveFile(
      request.raw,
      { folder: join(config.dataDir, 'uploads'), announced, maxBytes, take },
      async (path, bytes) => {
        if (bytes === 0) throw new BadRequest('file', 'body', 'Le fichier est vide.')
        return use(path)
      },
    ),
  )
}

/** A finished run whose rain is held against the reader's dates. */
export async function held(networks: Networks, jobId: string, request: FastifyRequest) {
  const found = await networks.finished(jobId, userOf(request))
  const period = found.period
  if (period) allowPeriod(request, period.start, period.end)
  request.periodChecked = true
  return found
}
