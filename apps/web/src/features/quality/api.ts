import type { SavedEvent } from '@radx/contracts/events'
import type { Nowcast, NowcastScores } from '@radx/contracts/nowcast'
import { ClassBundleDecoder } from '@radx/rainfall/class-bundle'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { saveBlob } from '../../app/api/download.ts'
import { callPages } from '../../app/api/pages.ts'

/** Making a forecast again takes seconds. */
const TIMEOUT_MS = 120_000
/** What was seen stands for a moment at most this far off. */
const NEAR_MS = 5 * 60_000

export interface Span {
  s: string
  e: string
}

export const scoresQuery = ({ s, e }: Span) =>
  queryOptions({
    queryKey: ['nowcast-scores', s, e],
    queryFn: ({ signal }) => callJson<NowcastScores>('/api/nowcast/scores', { query: { s, e }, signal }),
    staleTime: 60_000,
  })

/** Saved events are periods that one has looked at. */
export const savedPeriodsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: ({ signal }) => callPages<SavedEvent>('/api/users/events', { signal }),
})

export async function saveScores({ s, e }: Span): Promise<void> {
  const response = await send('/api/nowcast/scores.csv', { query: { s, e } })
  saveBlob(await response.blob(), `radx-prevision-${s.slice(0, 10)}.csv`)
}

export interface Picture {
  time: string
  block: Uint8Array<ArrayBuffer>
}

export interface Replay {
  about: Nowcast
  steps: number
  /** The last frame, then the forecast by lead. */
  forecast: Picture[]
  /** Of the same product, over the time that was forecast. */
  seen: Picture[]
}

async function pictures(path: string, query: Record<string, string>, signal: AbortSignal) {
  const response = await send(path, { query, signal, timeoutMs: TIMEOUT_MS })
  const decoder = new ClassBundleDecoder()
  const found = [...decoder.push(new Uint8Array(await response.arrayBuffer()))]
  return { steps: decoder.finish().steps, found: found.map(({ time, block }) => ({ time, block })) }
}

/** A past moment forecast again, and what came. @param issued ISO instant; null asks for nothing */
export const replayQuery = (issued: string | null) =>
  queryOptions({
    queryKey: ['nowcast-replay', issued],
    enabled: issued !== null,
    queryFn: async ({ signal }): Promise<Replay> => {
      const query = { issued: issued ?? '' }
      const about = await callJson<Nowcast>('/api/nowcast', { query, signal, timeoutMs: TIMEOUT_MS })
      if (about.issued === null) return { about, steps: 0, forecast: [], seen: [] }
      const made = await pictures('/api/nowcast/frames', query, signal)
      const end = Math.min(Date.now(), Date.parse(about.times.at(-1) ?? about.issued) + NEAR_MS)
      const seen =
        about.times.length === 0
          ? []
          : (
              await pictures(
                '/api/products/frames',
                { p: about.product, s: about.issued, e: new Date(end).toISOString() },
                signal,
              )
            ).found
      return { about, steps: made.steps, forecast: made.found, seen }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Probabilities of a forecast by lead; where none are kept the server makes its members first. */
export const chancesQuery = (issued: string, above: number | null) =>
  queryOptions({
    queryKey: ['nowcast-replay-chances', issued, above],
    enabled: above !== null,
    queryFn: async ({ signal }): Promise<Picture[]> =>
      (await pictures('/api/nowcast/chances', { issued, above: String(above) }, signal)).found,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The picture nearest to a moment; null where none is within so many ms. */
export function nearestPicture(pictures: readonly Picture[], ms: number, near = NEAR_MS): Picture | null {
  const off = ({ time }: Picture) => Math.abs(Date.parse(time) - ms)
  const best = pictures.reduce<Picture | null>((a, b) => (a === null || off(b) < off(a) ? b : a), null)
  return best && off(best) <= near ? best : null
}
