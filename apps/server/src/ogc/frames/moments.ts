import type { Asked } from '../edr/period.ts'
import { parseInstant } from '../instants.ts'
import type { Moment } from './pictures.ts'

/** What TIME of WMS and WMTS asks for; undefined for a list and for what is no instant. */
export function momentOfTime(time: string): Moment | undefined {
  const text = time.trim()
  if (text === '' || /^(current|default)$/i.test(text)) return null
  if (text.length > 120 || text.includes(',')) return undefined
  const [first, last] = text.split('/')
  const fromMs = parseInstant(first)
  const atMs = last === undefined ? fromMs : parseInstant(last)
  if (fromMs === null || atMs === null || fromMs > atMs) return undefined
  return { atMs, fromMs: last === undefined ? null : fromMs }
}

/** What `datetime` of OGC API asks for: the newest frame of an interval; one without an end has the newest there is. */
export function momentOfDatetime(asked: Asked): Moment {
  if (asked === null) return null
  if ('instantMs' in asked) return { atMs: asked.instantMs, fromMs: null }
  const { startMs, endMs } = asked
  return endMs === null ? null : { atMs: endMs, fromMs: startMs ?? endMs }
}
