import type { GridPlace } from '@radx/contracts/flood'
import { MAX_DEPTH_FRAMES } from '@radx/contracts/flood-constants'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { RadxMap } from '../../../map/createMap.ts'
import { useStyleContent } from '../../../map/layers.ts'
import { useClock, watchMoment } from '../../../player/run/clock.ts'
import { WaterFrames } from '../../../town/WaterFrames.ts'
import type { WaterClass } from '../../../town/water-classes.ts'
import { depthChunkQuery, depthFramesQuery, forgetFarChunks } from '../result/depth/api.ts'
import { momentAt } from '../result/timeline/moments.ts'

interface Props {
  jobId: string
  place: GridPlace
  classes: readonly WaterClass[]
  /** The layer that this one stays under, where it is there. */
  below: string
}

const chunkOf = (frame: number): number => Math.floor(frame / MAX_DEPTH_FRAMES)

/** Water at the moment of the clock, at every picture while it plays. */
export function NowLayer({ jobId, place, classes, below }: Props) {
  const layer = useMemo(() => new WaterFrames(place), [place])
  const add = useCallback(
    (map: RadxMap['map']) => {
      map.addLayer(layer, map.getLayer(below) ? below : undefined)
      return () => {
        if (map.getLayer(layer.id)) map.removeLayer(layer.id)
      }
    },
    [layer, below],
  )
  useStyleContent(add)
  useEffect(() => layer.setClasses(classes), [layer, classes])
  useFrames(jobId, place, layer)
  return null
}

/** Gives the layer the frames around each moment; those before stay while others load. */
function useFrames(jobId: string, place: GridPlace, layer: WaterFrames): void {
  const { data: index } = useQuery(depthFramesQuery(jobId))
  const timesS = index?.timesS
  const here = useClock(({ timeS }) => (timesS ? chunkOf(momentAt(timesS, timeS).before) : 0))
  const last = timesS ? chunkOf(timesS.length - 1) : 0
  // The chunk ahead comes while this one plays; after the last comes the start.
  const wanted = [...new Set([here, here === last ? 0 : here + 1])]
  const chunks = useQueries({ queries: wanted.map((chunk) => depthChunkQuery(jobId, chunk)) })
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
        const frame = wanted[k] * MAX_DEPTH_FRAMES + n
        kept.set(frame, frames.current.get(frame) ?? data.subarray(n * cells, (n + 1) * cells))
      }
    })
    frames.current = kept
    if (timesS === undefined) return
    return watchMoment((timeS) => {
      const { before, after, share } = momentAt(timesS, timeS)
      const [first, second] = [frames.current.get(before), frames.current.get(after)]
      if (first && second) layer.show(first, second, share)
    })
  }, [key, timesS, layer, cells])
}
