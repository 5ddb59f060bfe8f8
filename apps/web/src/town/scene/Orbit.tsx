import './quiet.ts'
import { OrbitControls } from '@react-three/drei'
import { useThree } from '@react-three/fiber'
import { type ComponentRef, type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import { type PerspectiveCamera, Spherical, Vector3 } from 'three'

export interface OrbitHandle {
  /** Turns round what is looked at and up, rad; a factor below 1 comes nearer. */
  move: (turn: number, rise: number, factor: number) => void
  /** Goes on over the ground, to the right and ahead, a share of the distance. */
  slide: (right: number, ahead: number) => void
  /** From there; null: from where the view starts. */
  look: (from: View | null) => void
  reset: () => void
}

/** Where one looks from, in the units of the scene: angles in rad, and the place on the ground that is looked at. */
export interface View {
  turn: number
  /** From above, 0, towards the ground. */
  tilt: number
  distance: number
  x: number
  z: number
}

interface Props {
  /** Where the view starts, seen from the middle. */
  start: Vector3
  /** How near and how far one may go. */
  reach: readonly [number, number]
  handle: RefObject<OrbitHandle | null>
  /** Another view to begin with. */
  from?: View | null
  /** Told when a view has stood still for a moment; null for that of the start. */
  onSettle?: (view: View | null) => void
}

/** Never below the ground. */
const LOWEST = Math.PI / 2 - 0.06
/** Width over height of a window that the whole basin fits into from where the view starts. */
const FITTING = 1.45
/** A view that has not moved for so long has settled, ms. */
const SETTLE_MS = 300

/** Turns the view by pointer, fingers or keys round a place on the ground. */
export function Orbit({ start, reach: [nearest, farthest], handle, from = null, onSettle }: Props) {
  const controls = useRef<ComponentRef<typeof OrbitControls>>(null)
  const camera = useThree((state) => state.camera) as PerspectiveCamera
  const invalidate = useThree((state) => state.invalidate)
  const aspect = useThree(({ size: window }) => window.width / window.height)
  const fitted = useMemo(() => start.clone().multiplyScalar(Math.max(1, FITTING / aspect)), [start, aspect])
  // A reader who has turned the view keeps it when the window changes.
  const untouched = useRef(from === null)
  const begin = useRef(from)
  useEffect(() => {
    const view = begin.current
    if (view) {
      place(camera, controls.current?.target, view)
      begin.current = null
    } else if (untouched.current) camera.position.copy(fitted)
    else return
    controls.current?.update()
    invalidate()
  }, [camera, fitted, invalidate])
  const settled = useSettled(onSettle, camera, controls)
  useImperativeHandle(handle, () => {
    const done = () => {
      controls.current?.update()
      settled(false)
      invalidate()
    }
    const look = (view: View | null) => {
      if (view) place(camera, controls.current?.target, view)
      else {
        controls.current?.target.set(0, 0, 0)
        camera.position.copy(fitted)
      }
      controls.current?.update()
      invalidate()
    }
    return {
      move: (turn, rise, factor) => {
        untouched.current = false
        const target = controls.current?.target ?? new Vector3()
        const at = new Spherical().setFromVector3(camera.position.clone().sub(target))
        at.theta += turn
        at.phi = Math.min(LOWEST, Math.max(0.01, at.phi - rise))
        at.radius = Math.min(farthest, Math.max(nearest, at.radius * factor))
        camera.position.setFromSpherical(at).add(target)
        done()
      },
      slide: (right, ahead) => {
        untouched.current = false
        const target = controls.current?.target ?? new Vector3()
        const at = new Spherical().setFromVector3(camera.position.clone().sub(target))
        const [sin, cos] = [Math.sin(at.theta), Math.cos(at.theta)]
        const by = new Vector3(right * cos - ahead * sin, 0, -right * sin - ahead * cos)
        by.multiplyScalar(at.radius)
        target.add(by)
        camera.position.add(by)
        done()
      },
      look: (view) => {
        untouched.current = view === null
        look(view)
      },
      reset: () => {
        untouched.current = true
        look(null)
        settled(true)
      },
    }
  }, [camera, invalidate, fitted, nearest, farthest, settled])
  return (
    <OrbitControls
      ref={controls}
      makeDefault
      enableDamping={false}
      onStart={() => {
        untouched.current = false
      }}
      onEnd={() => settled(false)}
      minDistance={nearest}
      maxDistance={farthest}
      maxPolarAngle={LOWEST}
    />
  )
}

/** Puts a camera where a view is from, and its target where that looks. */
function place(camera: PerspectiveCamera, target: Vector3 | undefined, view: View): void {
  const { turn, tilt, distance, x, z } = view
  target?.set(x, 0, z)
  camera.position.setFromSpherical(new Spherical(distance, tilt, turn)).add(new Vector3(x, 0, z))
}

/** Tells where a view has come to rest. */
function useSettled(
  onSettle: Props['onSettle'],
  camera: PerspectiveCamera,
  controls: RefObject<ComponentRef<typeof OrbitControls> | null>,
): (home: boolean) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(
    () => (home: boolean) => {
      clearTimeout(timer.current)
      if (onSettle === undefined) return
      timer.current = setTimeout(() => {
        if (home) {
          onSettle(null)
          return
        }
        const target = controls.current?.target ?? new Vector3()
        const at = new Spherical().setFromVector3(camera.position.clone().sub(target))
        onSettle({ turn: at.theta, tilt: at.phi, distance: at.radius, x: target.x, z: target.z })
      }, SETTLE_MS)
    },
    [onSettle, camera, controls],
  )
}
