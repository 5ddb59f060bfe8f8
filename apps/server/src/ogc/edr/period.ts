import { BadRequest } from '../../http/errors.ts'
import type { Span } from '../../store/frame-index.ts'
import { parseInstant } from '../instants.ts'

const DAY_MS = 86_400_000

/** What `datetime` asks for; null where it is not given. */
export type Asked = { instantMs: number } | { startMs: number | null; endMs: number | null } | null

/** `datetime` of OGC API (19-086r6, A.17): an instant, `start/end`, `../end`, `start/..`. @throws BadRequest */
export function parseDatetime(text: string | undefined): Asked {
  if (text === undefined || text.trim() === '') return null
  const wrong = () =>
    new BadRequest(
      'datetime',
      'datetime',
      'datetime attend un instant ISO 8601, ou début/fin, ../fin, début/.. : 2026-06-01T10:00:00Z/2026-06-01T12:00:00Z.',
    )
  if (text.length > 120) throw wrong()
  const parts = text.split('/')
  const side = (part: string): number | null => {
    if (part === '' || part === '..') return null
    const ms = parseInstant(part)
    if (ms === null) throw wrong()
    return ms
  }
  if (parts.length === 1) {
    const instantMs = side(parts[0])
    if (instantMs === null) throw wrong()
    return { instantMs }
  }
  if (parts.length !== 2) throw wrong()
  const [startMs, endMs] = parts.map(side)
  if (startMs === null && endMs === null) throw wrong()
  if (startMs !== null && endMs !== null && startMs >= endMs)
    throw new BadRequest('datetime', 'datetime', 'datetime : la fin doit venir après le début.')
  return { startMs, endMs }
}

/**
 * The span [start, end) that is read.
 * @param extent of the product, for sides that are open
 * @param nearMs how far from an instant its frame may be
 * @throws BadRequest for more than `maxDays`
 */
export function spanOfAsked(
  asked: NonNullable<Asked>,
  extent: { firstMs: number; newestMs: number },
  nearMs: number,
  maxDays: number,
): Span {
  if ('instantMs' in asked) return { startMs: asked.instantMs - nearMs, endMs: asked.instantMs + nearMs + 1 }
  const span = { startMs: asked.startMs ?? extent.firstMs, endMs: asked.endMs ?? extent.newestMs + 1 }
  if (span.endMs - span.startMs > maxDays * DAY_MS)
    throw new BadRequest('datetime', 'datetime', `La période dépasse ${maxDays} jours : la raccourcir.`)
  return span
}
