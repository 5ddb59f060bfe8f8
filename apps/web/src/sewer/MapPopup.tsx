import { formatQuantityFr } from '@radx/locale/format-fr'
import { MapMarker } from '../map/controls/MapMarker.tsx'
import { sewerTexts } from '../texts/sewer.ts'
import { useHover } from './hover.ts'
import classes from './NetworkMap.module.css'
import { courseOf, type SewerArea, type SewerNetwork } from './network.ts'

const texts = sewerTexts.popup

/** Fields of what the reader points at, on its place; wherever the pointer is, also in the table. */
export function MapPopup({ network }: { network: SewerNetwork }) {
  const hover = useHover()
  const node = hover.node === null ? undefined : network.node.get(hover.node)
  const link = hover.link === null ? undefined : network.link.get(hover.link)
  const area = hover.area === null ? undefined : network.areas?.find(({ name }) => name === hover.area)
  const place = node
    ? { lng: node.lon, lat: node.lat }
    : link
      ? middleOf(courseOf(network, link))
      : areaPlace(area)
  if (place === null) return null
  const rows: [string, string][] = node
    ? [
        [texts.name, node.name],
        [texts.elevation, formatQuantityFr(node.elevationM, 'm', 2)],
        [texts.maxDepth, formatQuantityFr(node.maxDepthM, 'm', 2)],
      ]
    : link
      ? [
          [texts.name, link.name],
          [texts.from, link.from],
          [texts.to, link.to],
          [texts.length, formatQuantityFr(link.lengthM, 'm', 1)],
        ]
      : area
        ? areaRows(area)
        : []
  return (
    <MapMarker position={place} anchor="bottom" inside>
      <div className={classes.popup} role="tooltip" data-testid="map-popup">
        <dl>
          {rows.map(([label, value]) => [
            <dt key={label}>{label}</dt>,
            <dd key={`${label} value`}>{value}</dd>,
          ])}
        </dl>
        {node?.overflows && <p>{sewerTexts.overflowing}</p>}
      </div>
    </MapMarker>
  )
}

type Course = readonly (readonly [number, number])[]

/** Half way along a line, [lng, lat]. */
function middleOf(course: Course | null): { lng: number; lat: number } | null {
  if (course === null) return null
  const lengths = course.slice(1).map(([x, y], k) => Math.hypot(x - course[k][0], y - course[k][1]))
  let rest = lengths.reduce((sum, length) => sum + length, 0) / 2
  for (const [k, length] of lengths.entries()) {
    if (rest > length) {
      rest -= length
      continue
    }
    const share = length === 0 ? 0 : rest / length
    const [[x1, y1], [x2, y2]] = [course[k], course[k + 1]]
    return { lng: x1 + share * (x2 - x1), lat: y1 + share * (y2 - y1) }
  }
  const [lng, lat] = course[course.length - 1]
  return { lng, lat }
}

/** Its northernmost corner, where the pop-up hides none of it. */
function areaPlace(area: SewerArea | undefined): { lng: number; lat: number } | null {
  if (!area) return null
  const [lng, lat] = area.ring.reduce((top, at) => (at[1] > top[1] ? at : top))
  return { lng, lat }
}

function areaRows({ name, areaM2, runoffMm, peakM3S }: SewerArea): [string, string][] {
  return [
    [texts.name, name],
    [texts.area, formatQuantityFr(areaM2 / 10_000, 'ha', 2)],
    ...(runoffMm === null || peakM3S === null
      ? []
      : ([
          [texts.runoff, formatQuantityFr(runoffMm, 'mm', 1)],
          [texts.peak, formatQuantityFr(peakM3S, 'm³/s', 3)],
        ] as [string, string][])),
  ]
}
