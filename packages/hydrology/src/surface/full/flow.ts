import type { Stateful } from '../../state/state.ts'
import type { KernelFields } from '../types.ts'
import type { FullLimits } from './engine.ts'
import type { KernelEdge } from './water.ts'

type Values = Float32Array | Float64Array

/** Fields of padded cells that the flow of either order has; momentum over density, m2/s. */
export type FlowFields = Record<
  Exclude<keyof KernelFields, 'depth' | 'rain' | 'interception' | 'infiltrated'> | 'momentumX' | 'momentumY',
  Values
> &
  Record<'depth' | 'rain' | 'interception' | 'infiltrated', Float64Array>

/** What moves the water of a step, with its rain and soil. */
export interface Flow extends Stateful {
  fields: FlowFields
  /** From now on the model's edge is these faces, and walls elsewhere. */
  placeEdges(edges: KernelEdge[]): void
  /** `meanwhile` is called for as long as other threads are at it and it answers true. */
  step(dt: number, raining: boolean, meanwhile?: () => boolean): FullLimits
  /** The depth of a padded cell has changed from outside. */
  wetted(index: number): void
  dispose(): void
}

/** The face of an edge: its place, and its direction. */
export function faceOf({ index, side }: KernelEdge, stride: number) {
  const face = side === 1 ? index - 1 : side === 3 ? index - stride : index
  return { face, outward: side % 2 === 0 ? 1 : -1, vertical: side > 1 }
}
