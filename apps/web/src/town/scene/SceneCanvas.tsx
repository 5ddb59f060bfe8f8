import { Canvas } from '@react-three/fiber'
import type { ReactNode } from 'react'
import { NoToneMapping, type Vector3 } from 'three'

interface Props {
  /** Where one looks from at first, and how wide what is seen is, in the units of the scene. */
  start: Vector3
  size: number
  /** What stands nearer is cut off, a share of the size. */
  near: number
  children: ReactNode
}

/** Draws a scene when something in it changes; it is decoration to a screen reader. */
export function SceneCanvas({ start, size, near, children }: Props) {
  return (
    <Canvas
      frameloop="demand"
      flat
      dpr={[1, 2]}
      gl={{ antialias: true, toneMapping: NoToneMapping, powerPreference: 'high-performance' }}
      camera={{ position: start, fov: 42, near: near * size, far: 6 * size }}
      aria-hidden
    >
      {children}
    </Canvas>
  )
}
