import type { GridPlace } from '@radx/contracts/flood'
import { type RefObject, useImperativeHandle, useMemo, useRef } from 'react'
import { type Camera, Vector3 } from 'three'
import { cellsAt } from '../../../../town/lines.ts'
import type { SceneParts } from '../../../../town/scene/scene.worker.ts'
import { type Kept, pickKey } from '../address.ts'
import { placeOfPick } from '../Picking.tsx'
import type { Sewer } from '../SewerOverlay.tsx'
import workspace from '../Workspace.module.css'
import classes from './TownScene.module.css'

/** Puts the marks where their places are in a picture. */
export type PlacePins = (camera: Camera, size: { width: number; height: number }) => void

interface Props {
  picks: readonly Kept[]
  place: GridPlace
  parts: SceneParts
  relief: number
  sewer: Sewer
  placePins: RefObject<PlacePins | null>
  /** Asks for a picture, so that marks come to their places. */
  onPlaced: () => void
}

/** Marks of what was chosen, over the picture at their places on the ground. */
export function Pins({ picks, place, parts, relief, sewer, placePins, onPlaced }: Props) {
  const marks = useRef(new Map<string, HTMLSpanElement>())
  const spots = useMemo(() => {
    const { nrows, ncols, cellSizeM } = place
    return picks.flatMap((one, k) => {
      const at = placeOfPick(one, place, sewer.network)
      if (at === null) return []
      const [x, y] = cellsAt(place, at.lng, at.lat)
      const [row, col] = [Math.floor(y), Math.floor(x)]
      if (!(row >= 0 && col >= 0 && row < nrows && col < ncols)) return []
      const up = (parts.heights[row * ncols + col] - parts.lowM) * relief
      const spot = new Vector3((x - ncols / 2) * cellSizeM, up, (y - nrows / 2) * cellSizeM)
      return [{ key: pickKey(one), kind: one.kind, number: k + 1, spot }]
    })
  }, [picks, place, parts, relief, sewer.network])
  useImperativeHandle(placePins, () => {
    onPlaced()
    return (camera, { width, height }) => {
      for (const { key, spot } of spots) {
        const mark = marks.current.get(key)
        if (!mark) continue
        const { x, y, z } = spot.clone().project(camera)
        mark.hidden = z > 1
        mark.style.transform = `translate(${((x + 1) / 2) * width}px, ${((1 - y) / 2) * height}px)`
      }
    }
  }, [spots, onPlaced])
  return spots.map(({ key, kind, number }) => (
    <span
      key={key}
      ref={(mark) => {
        if (mark) marks.current.set(key, mark)
        else marks.current.delete(key)
      }}
      className={classes.pin}
      hidden
      aria-hidden
    >
      <span className={workspace.mark} data-kind={kind}>
        {number}
      </span>
    </span>
  ))
}
