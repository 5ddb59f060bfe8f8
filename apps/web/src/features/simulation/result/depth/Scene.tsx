import { useFrame, useThree } from '@react-three/fiber'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import {
  BoxGeometry,
  BufferAttribute,
  CanvasTexture,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshBasicMaterial,
  NearestFilter,
  SRGBColorSpace,
  Vector3,
} from 'three'
import { Orbit, type OrbitHandle } from '../../../../town/scene/Orbit.tsx'
import { SceneCanvas } from '../../../../town/scene/SceneCanvas.tsx'
import { barsOf, movingBudget, toGround } from './bars.ts'
import type { DepthField } from './field.ts'

interface Props {
  field: DepthField
  /** How many of the bars are shown, the highest first. */
  shown: number
  wireframe: boolean
  /** Picture under the bars, a pixel a cell; null while there is none. */
  background: ImageBitmap | null
  scheme: 'light' | 'dark'
  handle: RefObject<OrbitHandle | null>
}

/**
 * Light that would fall on each side of a bar; baked, so that thousands cost no lighting. East, west, top, bottom,
 * south, north.
 */
const SIDES = [0.78, 0.7, 1, 0, 0.86, 0.62]
const GROUND_LIGHT = { light: 1.08, dark: 0.72 } as const
export default function Scene({ field, shown, wireframe, background, scheme, handle }: Props) {
  const size = Math.max(field.nrows, field.ncols)
  const start = useMemo(() => new Vector3(0, 0.85 * size, 0.8 * size), [size])
  return (
    <SceneCanvas start={start} size={size} near={1 / 500}>
      <Ground field={field} background={background} scheme={scheme} />
      <BarsMesh field={field} shown={shown} wireframe={wireframe} />
      <Orbit start={start} reach={[size / 12, size * 4]} handle={handle} />
    </SceneCanvas>
  )
}

function Ground({ field, background, scheme }: Pick<Props, 'field' | 'background' | 'scheme'>) {
  const invalidate = useThree((state) => state.invalidate)
  const texture = useMemo(() => {
    if (background === null) return null
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: field.ncols, height: field.nrows })
    const context = canvas.getContext('2d')
    if (context === null) return null
    context.imageSmoothingEnabled = false
    context.drawImage(background, 0, 0, field.ncols, field.nrows)
    const pixels = context.getImageData(0, 0, field.ncols, field.nrows)
    toGround(pixels.data, field.cm, GROUND_LIGHT[scheme])
    context.putImageData(pixels, 0, 0)
    const made = new CanvasTexture(canvas)
    made.colorSpace = SRGBColorSpace
    made.magFilter = NearestFilter
    return made
  }, [background, field, scheme])
  useEffect(() => {
    invalidate()
    return () => texture?.dispose()
  }, [texture, invalidate])
  if (texture === null) return null
  return (
    <mesh rotation-x={-Math.PI / 2}>
      <planeGeometry args={[field.ncols, field.nrows]} />
      <meshBasicMaterial map={texture} transparent alphaTest={0.5} />
    </mesh>
  )
}

/** A bar one wide and one high on the ground, without the side that nobody sees. */
function barGeometry(): BoxGeometry {
  const box = new BoxGeometry(0.94, 1, 0.94).translate(0, 0.5, 0)
  const shades = new Float32Array(box.attributes.position.count * 3)
  // Four corners a side, six indices a side.
  for (let k = 0; k < shades.length; k++) shades[k] = SIDES[Math.floor(k / 12)]
  box.setAttribute('color', new BufferAttribute(shades, 3))
  const index = [...(box.index?.array ?? [])]
  box.setIndex([...index.slice(0, 18), ...index.slice(24)])
  return box
}

function BarsMesh({ field, shown, wireframe }: Pick<Props, 'field' | 'shown' | 'wireframe'>) {
  const invalidate = useThree((state) => state.invalidate)
  const mesh = useMemo(() => {
    const { count, matrices, colors } = barsOf(field)
    const made = new InstancedMesh(barGeometry(), new MeshBasicMaterial({ vertexColors: true }), 0)
    made.instanceMatrix = new InstancedBufferAttribute(matrices, 16)
    // Colours are as they should look; the material takes them as light.
    made.instanceColor = new InstancedBufferAttribute(colors.map(toLinear), 3)
    made.frustumCulled = false
    made.userData.total = count
    return made
  }, [field])
  useEffect(
    () => () => {
      mesh.geometry.dispose()
      ;(mesh.material as MeshBasicMaterial).dispose()
      mesh.dispose()
    },
    [mesh],
  )
  useEffect(() => {
    ;(mesh.material as MeshBasicMaterial).wireframe = wireframe
    mesh.count = shown
    mesh.userData.shown = shown
    invalidate()
  }, [mesh, shown, wireframe, invalidate])
  useMovingBudget(mesh)
  return <primitive object={mesh} />
}

const toLinear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

/** Bars of the first picture of the first move; a graphics card soon has all of them. */
const FIRST_BUDGET = 4_000
/** A view that has not moved for so long rests, ms. */
const REST_MS = 200
/** Pictures further apart were not late: the hand stood still, ms. */
const PAUSE_MS = 600

/** While the view moves, only as many bars as keep it fluid, the highest; all of them once it rests. */
function useMovingBudget(mesh: InstancedMesh): void {
  const controls = useThree((state) => state.controls) as unknown as ControlEvents | null
  const invalidate = useThree((state) => state.invalidate)
  const state = useRef({ moving: false, held: false, last: 0, budget: FIRST_BUDGET })
  useEffect(() => {
    if (controls === null) return
    const now = state.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      clearTimeout(timer)
      // A hand that holds the view may go on; a late picture is not a rest.
      if (now.held || performance.now() - now.last < REST_MS) {
        timer = setTimeout(settle, REST_MS)
        return
      }
      now.moving = false
      mesh.count = mesh.userData.shown as number
      invalidate()
    }
    const moved = () => {
      if (!now.moving) now.last = 0
      now.moving = true
      clearTimeout(timer)
      timer = setTimeout(settle, REST_MS)
    }
    const hold = () => {
      now.held = true
    }
    const release = () => {
      now.held = false
    }
    controls.addEventListener('start', hold)
    controls.addEventListener('end', release)
    controls.addEventListener('change', moved)
    return () => {
      clearTimeout(timer)
      controls.removeEventListener('start', hold)
      controls.removeEventListener('end', release)
      controls.removeEventListener('change', moved)
    }
  }, [controls, mesh, invalidate])
  useFrame(() => {
    const { moving, last, budget } = state.current
    if (!moving) return
    const now = performance.now()
    const total = mesh.userData.shown as number
    const apart = now - last
    if (last > 0 && apart < PAUSE_MS) state.current.budget = movingBudget(budget, apart, total)
    state.current.last = now
    mesh.count = Math.min(total, state.current.budget)
  })
}

type ControlEvent = 'start' | 'end' | 'change'
interface ControlEvents {
  addEventListener: (type: ControlEvent, listener: () => void) => void
  removeEventListener: (type: ControlEvent, listener: () => void) => void
}
