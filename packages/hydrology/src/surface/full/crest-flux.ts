import { GRAVITY } from '@radx/contracts/constants'
import { push } from './edges.ts'
import { hllc } from './riemann.ts'

/** What stands on one side of a raised face: bed, m, depth, m, speed across the face and along it, m/s. */
export interface CrestSide {
  bedM: number
  h: number
  u: number
  v: number
}

/** What crosses a raised face, and what the cells before and behind it feel, with what pushes on the wall under its crest. */
export interface CrestCrossing {
  mass: number
  along: number
  before: number
  behind: number
}

export const emptyCrossing = (): CrestCrossing => ({ mass: 0, along: 0, before: 0, behind: 0 })

const flux = { mass: 0, across: 0, along: 0 }

/**
 * Flux over a crest: hydrostatic reconstruction with the crest as the bed of the face (Audusse et al. 2004): HLLC between what
 * stands above it on either side, and below it the push on a wall. Where neither level reaches the crest the face is a wall
 * to both, and still water stays still.
 */
export function crossCrest(crestM: number, one: CrestSide, two: CrestSide, out: CrestCrossing): void {
  const over = ({ bedM, h }: CrestSide) => Math.max(0, Math.min(h, bedM + h - crestM))
  const before = over(one)
  const behind = over(two)
  if (before <= 0 && behind <= 0) {
    out.mass = out.along = 0
    out.before = push(one.h, one.u)
    out.behind = push(two.h, -two.u)
    return
  }
  hllc(before, one.u, one.v, behind, two.u, two.v, flux)
  out.mass = flux.mass
  out.along = flux.along
  // Below the crest water stands against the wall.
  out.before = flux.across + 0.5 * GRAVITY * (one.h * one.h - before * before)
  out.behind = flux.across + 0.5 * GRAVITY * (two.h * two.h - behind * behind)
}
