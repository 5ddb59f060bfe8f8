import type { CsvDialect } from '@radx/locale/csv'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How the account that asks wants CSV files. */
export const dialectOf = (request: FastifyRequest): CsvDialect => request.session?.csv ?? 'semicolon'

/** Sends a CSV file, already written in the reader's dialect, to be saved. */
export const sendCsv = (reply: FastifyReply, name: string, body: Uint8Array): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(body)
