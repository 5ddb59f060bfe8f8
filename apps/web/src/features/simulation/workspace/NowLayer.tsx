import type { GridPlace } from '@radx/contracts/flood'
import { useCallback, useEffect, useMemo } from 'react'
import type { RadxMap } from '../../../map/createMap.ts'
import { useStyleContent } from '../../../map/layers.ts'
import { type CodeClass, WaterFrames } from '../../../town/WaterFrames.ts'
import { type OverTime, useMoments } from './useMoments.ts'

interface Drawn {
  place: GridPlace
  classes: readonly CodeClass[]
  /** The layer that this one stays under, where it is there. */
  below: string
  /** 0 to 1; water's own without. */
  opacity?: number
}

interface Props extends Drawn {
  overTime: OverTime
}

/** Water or rain at the moment of the clock, at every picture while it plays. */
export function NowLayer({ overTime, ...drawn }: Props) {
  const layer = useFramesLayer(drawn)
  useMoments(overTime, drawn.place, layer)
  return null
}

/** A layer of frames on the map. */
export function useFramesLayer({ place, classes, below, opacity }: Drawn): WaterFrames {
  const layer = useMemo(() => new WaterFrames(place, opacity), [place, opacity])
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
  return layer
}
