import { useCallback, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRadxMap } from '../map/context.ts'
import { useOnMap } from '../map/layers.ts'
import { useHover } from './hover.ts'
import classes from './NetworkMap.module.css'
import { courseOf, type SewerNetwork } from './network.ts'

/** What the reader points at, drawn over the map: the map itself need not draw anew with every move. */
export function HoverMark({ network }: { network: SewerNetwork }) {
  const { map } = useRadxMap()
  const hover = useHover()
  const line = useRef<SVGPolylineElement>(null)
  const node = hover.node === null ? undefined : network.node.get(hover.node)
  const link = hover.link === null ? undefined : network.link.get(hover.link)
  const course = useMemo((): readonly [number, number][] => {
    // A place alone is a line of no length, whose round ends are a dot.
    if (node)
      return [
        [node.lon, node.lat],
        [node.lon, node.lat],
      ]
    return (link && courseOf(network, link)) ?? []
  }, [network, node, link])
  const place = useCallback(() => {
    const points = course.map((at) => {
      const { x, y } = map.project(at)
      return `${x},${y}`
    })
    line.current?.setAttribute('points', points.join(' '))
  }, [map, course])
  useOnMap(place)
  if (course.length === 0) return null
  return createPortal(
    <svg className={classes.hover} aria-hidden data-testid="map-mark">
      <polyline ref={line} data-sort={node ? 'node' : 'link'} />
    </svg>,
    map.getCanvasContainer(),
  )
}
