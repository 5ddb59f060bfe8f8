import { csvFile } from '@radx/locale/csv'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Text of a CSV file (commas and points) as the account that asks wants it. */
export const csvFor = (request: FastifyRequest, text: string): string =>
  csvFile(text, request.session?.csv ?? 'semicolon')

/** Sends a CSV file to be saved. */
export const sendCsv = (
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  text: string,
): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(csvFor(request, text))
