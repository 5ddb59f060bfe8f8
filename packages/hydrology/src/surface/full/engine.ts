import type { Stateful } from '../../state/state.ts'
import type { FullField } from './fields.ts'

/** The stages of a step of the full scheme: the reference in TypeScript, or compiled with the same bits. */
export interface FullEngine extends Stateful {
  fields: Record<FullField, Float64Array>
  /** Before a step, with whether rain falls in it: looks which cells it may change. */
  begin(raining: boolean): void
  /** What flow sees, and slopes within cells. */
  slopes(): void
  /** Fluxes through all faces and push on walls; those of the model's edge are the caller's. */
  fluxes(): void
  /** Takes back what would leave a cell beyond what it holds in a stage of `dt`. */
  limit(dt: number): void
  /** A stage of `dt` with friction at its end; `weight` is its share of the mean through faces. */
  update(dt: number, weight: number, first: boolean): void
  /** Keeps the state before a step of two stages, and takes the mean of it and of what came of it. */
  keep(): void
  average(): void
  /** The fastest wave now, m/s. */
  fastestWave(): number
  /** Rain, interception, infiltration and what is largest, after the flow of a step. */
  finish(dt: number, raining: boolean): FullLimits
  /** The depth of a padded cell has changed from outside. */
  wetted(index: number): void
  dispose(): void
}

export interface FullLimits {
  /** |u| + |v| + 2 c where that is most, m/s, and the padded cell. */
  fastest: number
  fastestCell: number
  deepest: number
}
