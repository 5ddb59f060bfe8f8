import { TOWN_OUTSIDE } from '@radx/contracts/town-constants'
import { useFrame, useThree } from '@react-three/fiber'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useImperativeHandle, useMemo } from 'react'
import { Vector3 } from 'three'
import type { Scheme } from '../../../../map/basemap.ts'
import type { TownGrid } from '../../../../town/api.ts'
import { type GridPicture, groundPicture, HOUSE_CODE, roofOf } from '../../../../town/paint-ground.ts'
import { cellOnRay } from '../../../../town/scene/heights.ts'
import type { SceneParts } from '../../../../town/scene/scene.worker.ts'
import { TownModel } from '../../../../town/scene/TownModel.ts'
import { RIDGE_M } from '../../../../town/scene/useSceneParts.ts'
import type { CodeClass } from '../../../../town/WaterFrames.ts'
import type { SimulationJob } from '../../api.ts'
import { depthFramesQuery } from '../../result/depth/api.ts'
import { runMapQuery } from '../api.ts'
import { type OverTime, useMoments } from '../useMoments.ts'
import { useWorkspace } from '../useWorkspace.ts'
import type { PlacePins } from './Pins.tsx'

/** The cell under a place of the picture, -1 to 1 to the right and up; null beside the town. */
export type PickAt = (x: number, y: number) => { row: number; col: number } | null

interface Props {
  job: SimulationJob
  town: TownGrid
  parts: SceneParts
  water: readonly CodeClass[]
  picture: GridPicture | null
  relief: number
  scheme: Scheme
  pickAt: RefObject<PickAt | null>
  placePins: RefObject<PlacePins | null>
  /** Asks for a picture. */
  redraw: RefObject<(() => void) | null>
  /** Told of each picture how many triangles it has. */
  onPicture: (triangles: number) => void
}

/** Ground, houses and water, drawn when something changes. */
export function Town(props: Props) {
  const { job, town, parts, water, picture, relief, scheme, pickAt, placePins, redraw, onPicture } = props
  const { layer } = useWorkspace()
  const timesS = useQuery(depthFramesQuery(job.id)).data?.timesS
  const invalidate = useThree((state) => state.invalidate)
  const model = useMemo(() => new TownModel(town.place, parts, invalidate), [town.place, parts, invalidate])
  useEffect(() => () => model.dispose(), [model])
  useImperativeHandle(redraw, () => () => invalidate(), [invalidate])
  useEffect(() => model.setGround(groundPicture(town, scheme), roofOf(scheme)), [model, town, scheme])
  useEffect(() => model.setRelief(relief), [model, relief])
  useEffect(() => model.setClasses(water), [model, water])
  const isWater = layer === 'maximum' || layer === 'instant'
  useEffect(() => model.setLayer(isWater ? null : picture), [model, isWater, picture])
  useEffect(() => {
    if (!isWater) model.dry()
  }, [model, isWater])
  useFrame(({ gl, scene, camera, size }) => {
    model.update(camera, size.height)
    gl.render(scene, camera)
    placePins.current?.(camera, size)
    onPicture(gl.info.render.triangles)
    // Whoever takes the turn of the picture draws it.
  }, 1)
  usePicking(pickAt, town, parts, relief)
  return (
    <>
      <primitive object={model.group} />
      {layer === 'instant' && <Moments jobId={job.id} timesS={timesS} model={model} />}
      {layer === 'maximum' && <Largest jobId={job.id} model={model} />}
    </>
  )
}

function Moments({ model, ...run }: Omit<OverTime, 'of'> & { model: TownModel }) {
  useMoments({ of: 'depth', ...run }, model.place, model)
  return null
}

/** Largest depths, as one frame that stands still. */
function Largest({ jobId, model }: { jobId: string; model: TownModel }) {
  const { data } = useQuery(runMapQuery(jobId, 'hauteur'))
  useEffect(() => {
    if (!data) return
    const mm = Uint16Array.from(data, (m) => (Number.isNaN(m) ? TOWN_OUTSIDE : Math.round(1000 * m)))
    model.show(mm, mm, 0)
  }, [data, model])
  return null
}

function usePicking(
  pickAt: RefObject<PickAt | null>,
  { place, elevationM, land, classes }: TownGrid,
  { heights, lowM }: SceneParts,
  relief: number,
): void {
  const camera = useThree((state) => state.camera)
  useImperativeHandle(pickAt, () => {
    const { nrows, ncols, cellSizeM } = place
    const heightAt = (row: number, col: number) => {
      const k = row * ncols + col
      if (Number.isNaN(elevationM[k])) return Number.NaN
      const roof = classes[land[k]]?.code === HOUSE_CODE ? RIDGE_M : 0
      return (heights[k] + roof - lowM) * relief
    }
    return (x, y) => {
      const from = camera.position
      const along = new Vector3(x, y, 0.5).unproject(camera).sub(from).normalize()
      const farM = from.length() + 4 * Math.max(nrows, ncols) * cellSizeM
      const ground = { heightAt, nrows, ncols, cellSizeM }
      return cellOnRay(ground, [from.x, from.y, from.z], [along.x, along.y, along.z], farM)
    }
  }, [camera, place, elevationM, land, classes, heights, lowM, relief])
}
