import { useCallback, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRadxMap } from '../map/context.ts'
import { useOnMap } from '../map/layers.ts'
import { useHover } from './hover.ts'
import classes from './NetworkMap.module.css'
import type { SewerNetwork } from './network.ts'

/** What the reader points at, drawn over the map: the map itself need not draw anew with every move. */
export function HoverMark({ network }: { network: SewerNetwork }) {
  const { map } = useRadxMap()
  const hover = useHover()
  const line = useRef<SVGLineElement>(null)
  const node = hover.node === null ? undefined : network.node.get(hover.node)
  const link = hover.link === null ? undefined : network.link.get(hover.link)
  const a = node ?? (link && network.node.get(link.from))
  const b = node ?? (link && network.node.get(link.to))
  const place = useCallback(() => {
    if (!a || !b) return
    const [from, to] = [map.project([a.lon, a.lat]), map.project([b.lon, b.lat])]
    for (const [name, value] of [
      ['x1', from.x],
      ['y1', from.y],
      ['x2', to.x],
      ['y2', to.y],
    ] as const)
      line.current?.setAttribute(name, String(value))
  }, [map, a, b])
  useOnMap(place)
  if (!a || !b) return null
  return createPortal(
    <svg className={classes.hover} aria-hidden data-testid="map-mark">
      <line ref={line} data-sort={node ? 'node' : 'link'} />
    </svg>,
    map.getCanvasContainer(),
  )
}
