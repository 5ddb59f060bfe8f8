import type { InpUnits } from '@radx/formats/inp/units'
import type { Inlets } from '@radx/hydrology/inlets/inlets'
import type { Sewer } from '@radx/hydrology/sewer/types'
import { csv } from './tables.ts'

/** What inlets of streets took and gave back, in the file's units; null without any. */
export function inletsCsv(sewer: Sewer, inlets: Inlets | null, units: InpUnits): string | null {
  if (!inlets) return null
  const { links, nodes } = sewer.network
  return csv(
    'link,inlet,node,placement,inlets_a_side,captured_volume,returned_volume,peak_flow,captured_at_peak_percent',
    inlets.figures.map(({ input, placement, ...figures }) => [
      links[input.link].name,
      input.design.name,
      nodes[input.node].name,
      placement === 'sag' ? 'on_sag' : 'on_grade',
      input.count,
      figures.capturedM3 / units.volume,
      figures.returnedM3 / units.volume,
      figures.peak / units.flowFactor,
      100 * figures.peakShare,
    ]),
  )
}
