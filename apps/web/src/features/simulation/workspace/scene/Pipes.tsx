import type { GridPlace } from '@radx/contracts/flood'
import { useThree } from '@react-three/fiber'
import { useEffect, useMemo } from 'react'
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from 'three'
import type { Scheme } from '../../../../map/basemap.ts'
import { cellsAt } from '../../../../town/lines.ts'
import type { SceneParts } from '../../../../town/scene/scene.worker.ts'
import type { SimulationJob } from '../../api.ts'
import { FILLING_COLORS, FILLINGS, fillingOf, type Sewer } from '../SewerOverlay.tsx'
import { useSewerAt } from '../useSewerAt.ts'

interface Props {
  job: SimulationJob
  sewer: Sewer
  /** At the moment of the clock, not over the whole run. */
  now: boolean
  place: GridPlace
  parts: SceneParts
  relief: number
  scheme: Scheme
}

/** Over the ground, so that it hides no pipe, m. */
const LIFT_M = 1.5
/** A line follows the ground by pieces of so many cells. */
const PIECE = 4

/** Pipes on the ground, coloured by how full they ran, or are at a moment. */
export function Pipes({ job, sewer, now, place, parts: { heights, lowM }, relief, scheme }: Props) {
  const invalidate = useThree((state) => state.invalidate)
  const at = useSewerAt(job, now)
  const { lines, counts } = useMemo(() => {
    const { nrows, ncols, cellSizeM } = place
    const places: number[] = []
    const put = (x: number, y: number) => {
      const row = Math.min(nrows - 1, Math.max(0, Math.floor(y)))
      const col = Math.min(ncols - 1, Math.max(0, Math.floor(x)))
      const up = (heights[row * ncols + col] - lowM + LIFT_M) * relief
      places.push((x - ncols / 2) * cellSizeM, up, (y - nrows / 2) * cellSizeM)
    }
    const pieces = fillingOf(sewer).map(({ from, to }) => {
      const [[x0, y0], [x1, y1]] = [cellsAt(place, from.lon, from.lat), cellsAt(place, to.lon, to.lat)]
      const count = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / PIECE))
      for (let n = 0; n < count; n++)
        for (const share of [n / count, (n + 1) / count]) put(x0 + share * (x1 - x0), y0 + share * (y1 - y0))
      return 2 * count
    })
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3))
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(places.length), 3))
    const made = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }))
    return { lines: made, counts: pieces }
  }, [sewer, place, heights, lowM, relief])
  // Colours change with the clock, places do not.
  useEffect(() => {
    const ramp = FILLING_COLORS[scheme].map((color) => new Color(color))
    const colors = lines.geometry.getAttribute('color')
    let vertex = 0
    fillingOf(sewer, at).forEach(({ filling }, k) => {
      let step = FILLINGS.length - 1
      while (filling < FILLINGS[step]) step--
      for (let n = 0; n < counts[k]; n++) colors.setXYZ(vertex++, ramp[step].r, ramp[step].g, ramp[step].b)
    })
    colors.needsUpdate = true
    invalidate()
  }, [lines, counts, sewer, at, scheme, invalidate])
  useEffect(
    () => () => {
      lines.geometry.dispose()
      lines.material.dispose()
    },
    [lines],
  )
  return <primitive object={lines} />
}
