import type { GridPlace } from '@radx/contracts/flood'
import type { GeoJSONSource, LngLat, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { useRadxMap } from '../../../map/context.ts'
import { MapMarker } from '../../../map/controls/MapMarker.tsx'
import type { RadxMap } from '../../../map/createMap.ts'
import { cellAt } from '../../../map/grid-cell.ts'
import { removeFromStyle, useStyleContent } from '../../../map/layers.ts'
import { toMercator } from '../../../map/mercator.ts'
import { hitGrids } from '../../../sewer/hits.ts'
import type { SewerNetwork } from '../../../sewer/network.ts'
import { lngLatAt } from '../../../town/lines.ts'
import { type Kept, type Pick, pickKey } from './address.ts'
import classes from './Workspace.module.css'

/** A pointer hits what is so near, px. */
const REACH = 10
/** A line is at least so long, cells. */
const LEAST_LINE = 0.2
/** The world at zoom 0, px. */
const TILE_PX = 512

interface Props {
  place: GridPlace
  /** Nodes and pipes that can be hit; none while they are not shown. */
  network: SewerNetwork | undefined
  picks: readonly Kept[]
  /** The next two clicks are the ends of a line or the junctions of a profile, the next one is what that goes through. */
  drawing: Drawing | null
  onPick: (pick: Pick) => void
  onProfile: (ends: [string, string]) => void
  onThrough: (name: string) => void
}

export type Drawing = 'line' | 'profile' | 'through'

/** Takes what is under a click, junctions first, then pipes, then the cell; marks what is chosen. */
export function Picking({ place, network, picks, drawing, onPick, onProfile, onThrough }: Props) {
  const { map } = useRadxMap()
  const grids = useMemo(() => network && hitGrids(network), [network])
  const done = useRef({ onPick, onProfile, onThrough })
  done.current = { onPick, onProfile, onThrough }
  const [start, setStart] = useState<GridPoint | null>(null)
  const [first, setFirst] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tool begins anew
  useEffect(() => {
    setFirst(null)
    setStart(null)
  }, [drawing])
  useEffect(() => {
    const canvas = map.getCanvas()
    const under = (lngLat: LngLat): Pick | null => {
      const reach = REACH / (TILE_PX * 2 ** map.getZoom())
      const point = toMercator(lngLat)
      const node = grids?.nodes.nearest(point, reach) ?? null
      if (node !== null) return { kind: 'node', name: node }
      const link = grids?.links.nearest(point, reach / 2) ?? null
      if (link !== null) return { kind: 'link', name: link }
      const at = pointAt(place, lngLat)
      return at && cellOf(at)
    }
    const take = (lngLat: LngLat) => {
      if (drawing === 'profile' || drawing === 'through') {
        // A click between two junctions means the nearer one.
        const name = grids?.nodes.nearest(toMercator(lngLat), Number.POSITIVE_INFINITY) ?? null
        if (name === null || name === first) return
        if (drawing === 'through') done.current.onThrough(name)
        else if (first === null) setFirst(name)
        else done.current.onProfile([first, name])
        return
      }
      if (drawing === 'line') {
        const at = pointAt(place, lngLat)
        // A double click is no line.
        if (at === null || (start && Math.hypot(at.x - start.x, at.y - start.y) < LEAST_LINE)) return
        if (start === null) setStart(at)
        else done.current.onPick({ kind: 'section', x1: start.x, y1: start.y, x2: at.x, y2: at.y })
        return
      }
      const hit = under(lngLat)
      if (hit) done.current.onPick(hit)
    }
    const onClick = ({ lngLat }: MapMouseEvent) => take(lngLat)
    const onMove = (event: MapMouseEvent) => {
      const hit = drawing !== 'line' && grids && under(event.lngLat)
      canvas.style.cursor = hit && hit.kind !== 'cell' ? 'pointer' : 'crosshair'
    }
    // The keys of the map move it; this one takes what is in its middle, which this cursor has marked.
    const onKey = ({ key }: KeyboardEvent) => {
      canvas.style.cursor = 'crosshair'
      if (key === 'Enter') take(map.getCenter())
    }
    canvas.style.cursor = 'crosshair'
    canvas.addEventListener('keydown', onKey)
    map.on('click', onClick)
    map.on('mousemove', onMove)
    return () => {
      canvas.removeEventListener('keydown', onKey)
      map.off('click', onClick)
      map.off('mousemove', onMove)
      canvas.style.cursor = ''
    }
  }, [map, grids, place, drawing, first, start])
  useLines(place, picks)
  const begun: Pick[] = [
    ...(first === null ? [] : [{ kind: 'node', name: first } as const]),
    ...(start === null ? [] : [cellOf(start)]),
  ]
  return [...picks, ...begun].map((one, k) => {
    const at = placeOfPick(one, place, network)
    return at ? (
      <MapMarker key={`${k < picks.length} ${pickKey(one)}`} position={at}>
        <span className={classes.mark} data-kind={one.kind} aria-hidden>
          {k < picks.length ? k + 1 : '»'}
        </span>
      </MapMarker>
    ) : null
  })
}

interface GridPoint {
  x: number
  y: number
}

const cellOf = ({ x, y }: GridPoint): Pick => ({ kind: 'cell', row: Math.floor(y), col: Math.floor(x) })

/** A place in cells from the north-west corner, to a tenth; null outside the grid. */
function pointAt(
  { nrows, ncols, corners }: GridPlace,
  { lng, lat }: { lng: number; lat: number },
): GridPoint | null {
  const { row, col } = cellAt(lng, lat, corners, { width: 10 * ncols, height: 10 * nrows })
  const [x, y] = [col / 10, row / 10]
  return x >= 0 && y >= 0 && x < ncols && y < nrows ? { x, y } : null
}

const LINES = 'radx-space-sections'

/** The lines that were drawn, on the map. */
function useLines(place: GridPlace, picks: readonly Kept[]): void {
  const { map } = useRadxMap()
  const scheme = useColorScheme()
  const lines = picks.flatMap((one) => (one.kind === 'section' ? [one] : []))
  const key = lines.map(pickKey).join(' ')
  const add = useCallback(
    (to: RadxMap['map']) => {
      to.addSource(LINES, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
      const color = scheme === 'dark' ? '#ffffff' : '#15201f'
      to.addLayer({
        id: LINES,
        type: 'line',
        source: LINES,
        paint: { 'line-color': color, 'line-width': 2.5 },
      })
      return () => removeFromStyle(to, [LINES], LINES)
    },
    [scheme],
  )
  useStyleContent(add)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines are those of the key; a new source has none
  useEffect(() => {
    const set = () =>
      map.getSource<GeoJSONSource>(LINES)?.setData({
        type: 'FeatureCollection',
        features: lines.map(({ x1, y1, x2, y2 }) => ({
          type: 'Feature',
          properties: {},
          geometry: { type: 'LineString', coordinates: [lngLatAt(place, x1, y1), lngLatAt(place, x2, y2)] },
        })),
      })
    set()
    map.on('style.load', set)
    return () => {
      map.off('style.load', set)
    }
  }, [map, key, place, add])
}

/** Where a pick lies; null for a part of the network that is not known. */
export function placeOfPick(
  pick: Pick,
  place: GridPlace,
  network: SewerNetwork | undefined,
): { lng: number; lat: number } | null {
  if (pick.kind === 'cell') {
    if (pick.row >= place.nrows || pick.col >= place.ncols) return null
    const [lng, lat] = lngLatAt(place, pick.col + 0.5, pick.row + 0.5)
    return { lng, lat }
  }
  if (pick.kind === 'section') {
    const [lng, lat] = lngLatAt(place, (pick.x1 + pick.x2) / 2, (pick.y1 + pick.y2) / 2)
    return { lng, lat }
  }
  if (pick.kind === 'node') {
    const node = network?.node.get(pick.name)
    return node ? { lng: node.lon, lat: node.lat } : null
  }
  const link = network?.link.get(pick.name)
  const [a, b] = [link && network?.node.get(link.from), link && network?.node.get(link.to)]
  return a && b ? { lng: (a.lon + b.lon) / 2, lat: (a.lat + b.lat) / 2 } : null
}
