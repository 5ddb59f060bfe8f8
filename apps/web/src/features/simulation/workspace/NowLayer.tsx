import type { GridPlace } from '@radx/contracts/flood'
import { useCallback, useEffect, useMemo } from 'react'
import type { RadxMap } from '../../../map/createMap.ts'
import { useStyleContent } from '../../../map/layers.ts'
import { WaterFrames } from '../../../town/WaterFrames.ts'
import type { WaterClass } from '../../../town/water-classes.ts'
import { useWaterMoments } from './useWaterMoments.ts'

interface Props {
  jobId: string
  place: GridPlace
  classes: readonly WaterClass[]
  /** The layer that this one stays under, where it is there. */
  below: string
}

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
  useWaterMoments(jobId, place, layer)
  return null
}
