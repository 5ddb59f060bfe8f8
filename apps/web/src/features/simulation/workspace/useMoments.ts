import type { GridPlace } from '@radx/contracts/flood'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useClock, watchMoment } from '../../../player/run/clock.ts'
import { chunkFrames, chunkQuery, type FramesOf, forgetFarChunks } from '../result/depth/api.ts'
import { heldAt, momentAt } from '../result/timeline/moments.ts'

/** What shows a moment between two frames, `[row * ncols + col]`, in proportion. */
interface Shows {
  show: (before: Uint16Array, after: Uint16Array, share: number, timeS: number) => void
}

/** Frames of a run and their moments, s; undefined while these are not known. */
export interface OverTime {
  of: FramesOf
  jobId: string
  timesS: readonly number[] | undefined
}

/** Water is between its frames, rain stands until the next picture. */
const MOMENTS = { depth: momentAt, rain: heldAt } as const

/** Gives a layer the frames around each moment of the clock; those before stay while others load. */
export function useMoments({ of, jobId, timesS }: OverTime, place: GridPlace, layer: Shows): void {
  const size = chunkFrames(place)
  const chunkOf = (frame: number): number => Math.floor(frame / size)
  const at = MOMENTS[of]
  const here = useClock(({ timeS }) => (timesS ? chunkOf(at(timesS, timeS).before) : 0))
  const last = timesS ? chunkOf(timesS.length - 1) : 0
  // The chunk ahead comes while this one plays; after the last comes the start.
  // What every run has need not wait for its moments to be known.
  const wanted = timesS || of === 'depth' ? [...new Set([here, here === last ? 0 : here + 1])] : []
  const chunks = useQueries({ queries: wanted.map((chunk) => chunkQuery(of, jobId, chunk, size)) })
  const client = useQueryClient()
  useEffect(() => forgetFarChunks(client, of, jobId, here), [client, of, jobId, here])
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
      const { before, after, share } = at(timesS, timeS)
      const [first, second] = [frames.current.get(before), frames.current.get(after)]
      if (first && second) layer.show(first, second, share, timeS)
    })
  }, [key, timesS, layer, cells, at])
}
