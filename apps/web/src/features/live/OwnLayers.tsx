import { useQuery } from '@tanstack/react-query'
import { GaugeLayer } from '../../gauges/GaugeLayer.tsx'
import type { Gauges } from '../../gauges/useGauges.ts'
import { CatchmentLayer } from '../../map/CatchmentLayer.tsx'
import { RadarLink } from '../../map/RadarLink.tsx'
import { useReferenceParts } from '../../map/reference/parts.ts'
import { ShapeLayers } from '../../map/shapes/ShapeLayers.tsx'
import { catchmentsQuery } from '../../selection/api.ts'
import { currentImage, useLive } from './state/store.ts'

/** What a signed-in user has on the map: basins to place gauges in, gauges, personal layers. */
export default function OwnLayers({ gauges }: { gauges: Gauges }) {
  const current = useLive((state) => currentImage(state)?.datetime ?? null)
  // The mark is drawn with the rings.
  const rings = useReferenceParts((parts) => parts.rings)
  const { data: catchments } = useQuery(catchmentsQuery)
  return (
    <>
      {catchments && <CatchmentLayer collection={catchments} catchment={null} subcatchment={null} />}
      <GaugeLayer gauges={gauges} current={current} />
      <ShapeLayers />
      {rings && <RadarLink />}
    </>
  )
}
