import { PROFILE_SVG } from '@radx/contracts/simulation-constants'
import type { Profile, Scales } from './profile.ts'

/** Room around the plot, px. */
export const FRAME = { left: 80, right: 32, top: 30, bottom: 112 } as const
/** Lines of text under it, px below the plot. */
export const ROWS = { distance: 17, ground: 33, invert: 48, head: 63, diameter: 78, slope: 91 } as const

/** @param height of the drawing, px */
export function scalesOf({ x, z }: Profile, height: number): Scales {
  const across = (PROFILE_SVG.width - FRAME.left - FRAME.right) / (x[1] - x[0])
  const up = (height - FRAME.top - FRAME.bottom) / (z[1] - z[0])
  return {
    x: (metres) => FRAME.left + (metres - x[0]) * across,
    y: (metres) => height - FRAME.bottom - (metres - z[0]) * up,
  }
}
