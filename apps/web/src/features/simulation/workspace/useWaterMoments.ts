import type { GridPlace } from '@radx/contracts/flood'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useClock, watchMoment } from '../../../player/run/clock.ts'
import { chunkFrames, depthChunkQuery, depthFramesQuery, forgetFarChunks } from '../result/depth/api.ts'
import { momentAt } from '../result/timeline/moments.ts'

/** What shows water between two frames, mm each, `[row * ncols + col]`, in proportion. */
interface Shows {
  show: (before: Uint16Array, after: Uint16Array, share: number, timeS: number) => void
}

/** Gives a layer the frames around each moment of the clock; those before stay while others load. */
export function useWaterMoments(jobId: string, place: GridPlace, layer: Shows): void {
  const size = chunkFrames(place)
  const chunkOf = (frame: number): number => Math.floor(frame / size)
  const { data: index } = useQuery(depthFramesQuery(jobId))
  const timesS = index?.timesS
  const here = useClock(({ timeS }) => (timesS ? chunkOf(momentAt(timesS, timeS).before) : 0))
  const last = timesS ? chunkOf(timesS.length - 1) : 0
  // The chunk ahead comes while this one plays; after the last comes the start.
  const wanted = [...new Set([here, here === last ? 0 : here + 1])]
  const chunks = useQueries({ queries: wanted.map((chunk) => depthChunkQuery(jobId, chunk, size)) })
  const client = useQueryClient()
  useEffect(() => forgetFarChunks(client, jobId, here), [client, jobId, here])
  /** A frame is the same array each time, so that it goes to the graphics card once. */
  const frames = useRef(new Map<number, Uint16Array>())
  const cells = place.nrows * place.ncols
  const held = chunks.map(({ data }) => data)
  const key = held.map((data, k) => (data ? wanted[k] : '')).join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chunks are those of the key
  useEffect(() => {
    const kept = new Map<number, Uint16Array>()
    held.forEach((data, k) => {
      for (let n = 0; data && (n + 1) * cells <= data.length; n++) {
        const frame = wanted[k] * size + n
        kept.set(frame, frames.current.get(frame) ?? data.subarray(n * cells, (n + 1) * cells))
      }
    })
    frames.current = kept
    if (timesS === undefined) return
    return watchMoment((timeS) => {
      const { before, after, share } = momentAt(timesS, timeS)
      const [first, second] = [frames.current.get(before), frames.current.get(after)]
      if (first && second) layer.show(first, second, share, timeS)
    })
  }, [key, timesS, layer, cells])
}
