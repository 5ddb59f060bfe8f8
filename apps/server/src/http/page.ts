import type { FastifyReply } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { BadRequest } from './errors.ts'

/** Header of a list that goes on: the `cursor` of its next page. */
export const NEXT_HEADER = 'radx-next'
const PAGE = 200
const PAGE_MAX = 500

/** Query of a list in pages; without it, the first 200. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
  cursor: z.string().max(80).optional(),
})
export type PageQuery = z.infer<typeof pageQuery>

/** Where a page starts: after the item of this instant (microseconds) and id, newest first. */
export interface Place {
  micros: number
  id: string
}

/** Up to the year 2255, at which a catchment's own land use stands. */
const CURSOR = /^(\d{1,16})\.([0-9a-f-]{36})$/

/** @throws BadRequest for what no list gave out */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const found = CURSOR.exec(cursor)
  if (!found)
    throw new BadRequest('cursor', 'cursor', 'Cette suite de liste est inconnue. Reprendre au début.')
  return { micros: Number(found[1]), id: found[2] }
}

/** `created_at` of a row in whole microseconds, as `placed` rows carry it. */
export const micros = sql<number>`(extract(epoch from created_at) * 1000000)::bigint`

/** Whether a row comes after a place in a list by `created_at` and `id`, both descending. */
export const after = ({ micros: at, id }: Place): RawBuilder<boolean> =>
  sql<boolean>`(created_at, id) < (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id}::uuid)`

/**
 * The items of a page out of one row more than it has; the header tells where the next one starts.
 * @param rows at most `limit + 1` of them, in order
 */
export function pageOf<Row extends { id: string; micros: number }>(
  rows: readonly Row[],
  limit: number,
  reply: FastifyReply,
): Row[] {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length > limit && last) reply.header(NEXT_HEADER, `${last.micros}.${last.id}`)
  return page
}
