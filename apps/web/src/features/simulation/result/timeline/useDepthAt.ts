import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { chunkFrames, chunkQuery, depthFramesQuery, forgetFarChunks } from '../depth/api.ts'
import { depthBetween, momentAt } from './moments.ts'

/** Depths over a run at a moment, between two computed frames in proportion; the last ones stay while others load. */
export function useDepthAt(jobId: string, timeS: number) {
  const frames = useQuery(depthFramesQuery(jobId))
  const timesS = frames.data?.timesS
  const place = frames.data?.place
  const size = place ? chunkFrames(place) : 1
  const chunkOf = (frame: number): number => Math.floor(frame / size)
  const moment = useMemo(() => (timesS ? momentAt(timesS, timeS) : null), [timesS, timeS])
  const here = moment === null ? 0 : chunkOf(moment.before)
  const last = timesS ? chunkOf(timesS.length - 1) : 0
  // The chunk ahead comes while this one plays; after the last comes the start.
  const wanted = moment === null ? [] : [...new Set([here, here === last ? 0 : here + 1])]
  const chunks = useQueries({ queries: wanted.map((chunk) => chunkQuery('depth', jobId, chunk, size)) })
  const client = useQueryClient()
  useEffect(() => forgetFarChunks(client, 'depth', jobId, here), [client, jobId, here])
  const [first, second] = [chunks[0]?.data, chunks[1]?.data]
  const cm = useMemo(() => {
    if (moment === null || place === undefined) return null
    const cells = place.nrows * place.ncols
    const frame = (k: number) => {
      const values = Math.floor(k / size) === here ? first : second
      const from = (k % size) * cells
      return values && values.length >= from + cells ? values.subarray(from, from + cells) : null
    }
    const [before, after] = [frame(moment.before), frame(moment.after)]
    return before && after ? depthBetween(before, after, moment.share) : null
  }, [moment, place, size, here, first, second])
  const error = frames.error ?? chunks.find(({ error: failed }) => failed)?.error ?? null
  return { place, cm, error }
}
