import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

/** Address of the server as links in answers name it: by setting, else as the caller wrote it. */
export const publicAddress = (request: FastifyRequest, config: Pick<Config, 'publicUrl'>): string =>
  (config.publicUrl ?? `${request.protocol}://${request.host}`).replace(/\/$/, '')
