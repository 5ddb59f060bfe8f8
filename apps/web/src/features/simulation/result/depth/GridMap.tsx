import type { GridPlace } from '@radx/contracts/flood'
import type { ReactNode } from 'react'
import { GridLayer } from '../../../../map/GridLayer.tsx'
import type { TownOf } from '../../../../town/api.ts'
import type { Bounds } from '../../../../town/bounds.ts'
import type { GridPicture } from '../../../../town/paint-ground.ts'
import { TownMap } from '../../../../town/TownMap.tsx'

interface Props {
  /** What the map shows, for assistive technology. */
  label: string
  town: TownOf
  place: GridPlace
  picture: GridPicture
  /** 0 to 1. */
  opacity: number
  /** Where something differs; see `TownMap`. */
  change?: Bounds | null
  onPick: (cell: { row: number; col: number }) => void
  /** On the lower edge of the map. */
  children?: ReactNode
}

/** A grid of a run on the town's ground. */
export default function GridMap({ label, town, place, picture, opacity, change, onPick, children }: Props) {
  return (
    <TownMap label={label} town={town} place={place} change={change}>
      <GridLayer
        id="radx-depth"
        picture={picture}
        corners={place.corners}
        opacity={opacity}
        onPick={onPick}
      />
      {children}
    </TownMap>
  )
}
