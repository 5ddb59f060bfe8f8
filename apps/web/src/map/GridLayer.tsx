import type { GridPlace } from '@radx/contracts/flood'
import type { CanvasSource, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useRef } from 'react'
import { useRadxMap } from './context.ts'
import type { RadxMap } from './createMap.ts'
import { cellAt } from './grid-cell.ts'
import { removeFromStyle, useStyleContent } from './layers.ts'

interface Props {
  /** Names the source and layer in the style. */
  id: string
  /** A pixel a cell, row 0 north. */
  picture: { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }
  /** Outer corners in WGS84, [lng, lat]. */
  corners: GridPlace['corners']
  /** 0 to 1. */
  opacity: number
  /** A layer that the grid stays under, where it is there. */
  below?: string
  /** Called with the place under a click, in cells from the north-west corner; may lie outside the grid. */
  onPick?: (cell: { row: number; col: number }) => void
}

/**
 * A grid of a projected system on the map, its corners where they belong. Between them the picture is stretched
 * evenly: on 10 km that is off by 2 m at most.
 */
export function GridLayer({ id, picture, corners, opacity, below, onPick }: Props) {
  const radx = useRadxMap()
  const canvas = useRef<HTMLCanvasElement>(null)
  canvas.current ??= document.createElement('canvas')
  const look = useRef(opacity)
  look.current = opacity

  // Before the source reads it below: a canvas without a size is refused.
  const drawn = useRef<Props['picture']>(null)
  if (drawn.current !== picture) {
    drawn.current = picture
    Object.assign(canvas.current, { width: picture.width, height: picture.height })
    canvas.current
      .getContext('2d')
      ?.putImageData(new ImageData(picture.data, picture.width, picture.height), 0, 0)
  }

  const add = useCallback(
    (map: RadxMap['map']) => {
      const { nw, ne, se, sw } = corners
      map.addSource(id, {
        type: 'canvas',
        canvas: canvas.current as HTMLCanvasElement,
        coordinates: [nw, ne, se, sw],
        animate: false,
      })
      map.addLayer(
        {
          id,
          type: 'raster',
          source: id,
          paint: {
            'raster-opacity': look.current,
            'raster-resampling': 'nearest',
            'raster-fade-duration': 0,
          },
        },
        below !== undefined && map.getLayer(below) ? below : undefined,
      )
      return () => removeFromStyle(map, [id], id)
    },
    [id, corners, below],
  )
  useStyleContent(add)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture is in the canvas and goes to the graphics card
  useEffect(() => {
    const source = radx.map.getSource<CanvasSource>(id)
    if (!source) return
    source.play()
    source.pause()
    radx.map.triggerRepaint()
  }, [radx, id, picture])

  useEffect(() => {
    if (radx.map.getLayer(id)) radx.map.setPaintProperty(id, 'raster-opacity', opacity)
  }, [radx, id, opacity])

  const pick = useRef(onPick)
  pick.current = onPick
  const { width, height } = picture
  useEffect(() => {
    const onClick = ({ lngLat }: MapMouseEvent) =>
      pick.current?.(cellAt(lngLat.lng, lngLat.lat, corners, { width, height }))
    radx.map.on('click', onClick)
    return () => {
      radx.map.off('click', onClick)
    }
  }, [radx, corners, width, height])
  return null
}
