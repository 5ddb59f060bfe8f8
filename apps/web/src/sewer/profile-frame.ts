import { PROFILE_SVG } from '@radx/contracts/simulation-constants'
import type { Profile, Scales } from './profile.ts'

const { width, height } = PROFILE_SVG

/** Room around the plot, px. */
export const FRAME = { left: 56, right: 12, top: 30, bottom: 44 } as const

export function scalesOf({ x, z }: Profile): Scales {
  const across = (width - FRAME.left - FRAME.right) / (x[1] - x[0])
  const up = (height - FRAME.top - FRAME.bottom) / (z[1] - z[0])
  return {
    x: (metres) => FRAME.left + (metres - x[0]) * across,
    y: (metres) => height - FRAME.bottom - (metres - z[0]) * up,
  }
}
