import { useQuery } from '@tanstack/react-query'
import type { CanvasSource, GeoJSONSource } from 'maplibre-gl'
import { useCallback, useEffect, useMemo } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import type { Scheme } from '../map/basemap.ts'
import { useRadxMap } from '../map/context.ts'
import type { RadxMap } from '../map/createMap.ts'
import { removeFromStyle, useStyleContent } from '../map/layers.ts'
import { type TownGrid, type TownOf, townQuery } from './api.ts'
import { type GridPicture, landPicture, shadePicture } from './paint-ground.ts'
import { type TownLines, useTownLines } from './useTownLines.ts'

const [LAND, SHADE, LINES] = ['radx-town-land', 'radx-town-shade', 'radx-town-lines']
const OUTLINE = `${LINES}-outline`
const CONTOURS = `${LINES}-contours`
const COLORS = {
  light: { contour: '#8b7a5e', outline: '#0b5c63' },
  dark: { contour: '#8c8069', outline: '#5fb7bd' },
} as const satisfies Record<Scheme, unknown>

const NOTHING = { type: 'FeatureCollection' as const, features: [] }

interface GroundProps {
  /** Nothing while it is on its way. */
  town: TownGrid | undefined
  /** Tells one ground from another. */
  name: string
  /** What is drawn below relief and lines; land use without. */
  land?: GridPicture
}

/** The ground of a catchment on the map, with the land use that lies on it. */
export function TownGround({ town: of }: { town: TownOf }) {
  const { data: town } = useQuery(townQuery(of))
  return <Ground town={town} name={`${of.catchmentId} ${of.luseId ?? ''}`} />
}

/**
 * The ground of a town on the map, without any tile service: land use with streets, buildings and water, relief,
 * contour lines, outline. It stands first among what is put on a map, and goes under all of it.
 */
export function Ground({ town, name, land }: GroundProps) {
  const scheme = useColorScheme()
  const lines = useTownLines(town, name)

  const { radar } = useRadxMap()
  const addLines = useCallback(
    (map: RadxMap['map']) => {
      const { contour, outline } = COLORS[scheme]
      // Rain, where a map has some, falls on it.
      const below = map.getLayer(radar.id) ? radar.id : undefined
      map.addSource(LINES, { type: 'geojson', data: NOTHING, tolerance: 0.2 })
      map.addLayer(
        {
          id: CONTOURS,
          type: 'line',
          source: LINES,
          filter: ['!=', ['get', 'kind'], 'outline'],
          paint: {
            'line-color': contour,
            'line-opacity': ['case', ['==', ['get', 'kind'], 'main'], 0.6, 0.28],
            'line-width': ['interpolate', ['linear'], ['zoom'], 11, 0.5, 16, 1.2],
          },
        },
        below,
      )
      map.addLayer(
        {
          id: OUTLINE,
          type: 'line',
          source: LINES,
          filter: ['==', ['get', 'kind'], 'outline'],
          paint: { 'line-color': outline, 'line-width': 1.5, 'line-opacity': 0.8 },
        },
        below,
      )
      return () => removeFromStyle(map, [OUTLINE, CONTOURS], LINES)
    },
    [scheme, radar],
  )
  useStyleContent(addLines)
  useLines(lines, addLines)

  const pictures = useMemo(
    () => town && { land: land ?? landPicture(town, scheme), shade: shadePicture(town, scheme) },
    [town, scheme, land],
  )
  const corners = town?.place.corners
  const addPictures = useCallback(
    (map: RadxMap['map']) => {
      if (!pictures || !corners) return () => {}
      const { nw, ne, se, sw } = corners
      const put = (id: string, picture: GridPicture, resampling: 'nearest' | 'linear') => {
        map.addSource(id, {
          type: 'canvas',
          canvas: canvasOf(picture),
          coordinates: [nw, ne, se, sw],
          animate: false,
        } as CanvasSource['options'] & { type: 'canvas' })
        map.addLayer(
          {
            id,
            type: 'raster',
            source: id,
            paint: { 'raster-resampling': resampling, 'raster-fade-duration': 0 },
          },
          CONTOURS,
        )
      }
      put(LAND, pictures.land, 'nearest')
      put(SHADE, pictures.shade, 'linear')
      return () => {
        removeFromStyle(map, [SHADE], SHADE)
        removeFromStyle(map, [LAND], LAND)
      }
    },
    [pictures, corners],
  )
  useStyleContent(addPictures)
  return null
}

function canvasOf({ width, height, data }: GridPicture): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0)
  return canvas
}

/** @param content changes when the lines' layers are put in anew */
function useLines(lines: TownLines | undefined, content: unknown): void {
  const { map } = useRadxMap()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source has nothing in it
  useEffect(() => {
    const set = () => map.getSource<GeoJSONSource>(LINES)?.setData(lines?.features ?? NOTHING)
    set()
    map.on('style.load', set)
    return () => {
      map.off('style.load', set)
    }
  }, [map, lines, content])
}
