import { formatQuantityFr } from '@radx/locale/format-fr'
import { MapMarker } from '../map/controls/MapMarker.tsx'
import { sewerTexts } from '../texts/sewer.ts'
import { useHover } from './hover.ts'
import classes from './NetworkMap.module.css'
import type { SewerNetwork } from './network.ts'

const texts = sewerTexts.popup

/** Fields of what the reader points at, on its place; wherever the pointer is, also in the table. */
export function MapPopup({ network }: { network: SewerNetwork }) {
  const hover = useHover()
  const node = hover.node === null ? undefined : network.node.get(hover.node)
  const link = hover.link === null ? undefined : network.link.get(hover.link)
  const ends = link && [network.node.get(link.from), network.node.get(link.to)]
  const place = node
    ? { lng: node.lon, lat: node.lat }
    : ends?.[0] && ends[1]
      ? { lng: (ends[0].lon + ends[1].lon) / 2, lat: (ends[0].lat + ends[1].lat) / 2 }
      : null
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
      : []
  return (
    <MapMarker position={place} anchor="bottom">
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
