import type { GridPlace } from '@radx/contracts/flood'
import { type RefObject, useEffect, useRef } from 'react'
import type { RadxMap } from '../../../map/createMap.ts'
import { boundsAround } from '../../../town/bounds.ts'
import { endsOf } from './ends.ts'
import { placeOfPick } from './Picking.tsx'
import type { Sewer } from './SewerOverlay.tsx'
import { useWorkspace } from './useWorkspace.ts'

/** How much of the map's height a profile covers; see Workspace.module.css. */
const PROFILE_SHARE = 0.74
const MARGIN_PX = 32
const NEAR_ZOOM = 17

/** The map shows the ends of a profile above it when that opens. A map that an address puts somewhere stays there. */
export function useProfileInSight(
  radx: RefObject<RadxMap | null>,
  place: GridPlace | undefined,
  { network }: Sewer,
): void {
  const { profile, picks, view } = useWorkspace()
  const ends = profile ? endsOf(picks) : null
  const [from, to] = (ends ?? []).map((name) => place && placeOfPick({ kind: 'node', name }, place, network))
  const key = from && to ? (ends ?? []).join('\n') : ''
  const isRestored = useRef(profile && view !== null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places are those of the key
  useEffect(() => {
    const map = radx.current?.map
    if (!map || !from || !to) return
    if (isRestored.current) {
      isRestored.current = false
      return
    }
    const { clientHeight } = map.getContainer()
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    map.fitBounds(boundsAround([from, to].map(({ lng, lat }) => [lng, lat])), {
      padding: {
        top: MARGIN_PX,
        bottom: PROFILE_SHARE * clientHeight + MARGIN_PX,
        left: 2 * MARGIN_PX,
        right: 2 * MARGIN_PX,
      },
      maxZoom: NEAR_ZOOM,
      duration: still ? 0 : 600,
    })
  }, [key])
}
