import type { MeltingLayer } from '@radx/polarimetry/melting'

/** A melting layer that an instrument beside the radar saw. */
export interface SeenMelting {
  timeMs: number
  layer: MeltingLayer
}

/** What was seen longer before or after says nothing of a volume, ms: a profile sees the layer itself, a thermometer the air mass. */
const PROFILE_MS = 30 * 60_000
const AIR_MASS_MS = 60 * 60_000

/** The melting layer at a moment: the nearest that the micro rain radar saw, else by the nearest temperature; null without. */
export function meltingAt(seen: readonly SeenMelting[], timeMs: number): MeltingLayer | null {
  const nearest = (isProfile: boolean, reachMs: number) =>
    seen
      .filter(({ layer }) => (layer.source === 'micro-rain-radar') === isProfile)
      .map((one) => ({ ...one, awayMs: Math.abs(one.timeMs - timeMs) }))
      .filter(({ awayMs }) => awayMs <= reachMs)
      .sort((a, b) => a.awayMs - b.awayMs)[0]?.layer
  return nearest(true, PROFILE_MS) ?? nearest(false, AIR_MASS_MS) ?? null
}
