import { DAY_S } from '../constants.ts'

/**
 * Water that one part hands to the next in a step, m3. It goes at the rate that the giver had at the end of its step, as in
 * EPA SWMM; the giver's own volume is a little more or less than that. The difference stays held, may be a debt, and is
 * settled within about a day, so that none is made or lost in the long run.
 * @param heldM3 what the giver gave and did not reach the taker yet
 * @param wantedM3 its rate times the step
 */
export const handedOver = (heldM3: number, wantedM3: number, dt: number): number =>
  Math.max(0, wantedM3 + (heldM3 - wantedM3) * settledShare(dt))

/** Share of what is held that a step settles. */
export const settledShare = (dt: number): number => Math.min(1, dt / DAY_S)
