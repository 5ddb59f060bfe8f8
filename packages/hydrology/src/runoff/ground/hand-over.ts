import { DAY_S } from '../constants.ts'

/** What is settled changes a step's water by this share at most. */
const MOST_SETTLED = 0.25

/**
 * Water that one part hands to the next in a step, m3. It goes at the rate that the giver had at the end of its step, as in
 * EPA SWMM; the giver's own volume is a little more or less than that. The difference stays held, may be a debt, and is
 * settled within about a day of flow, so that none is made or lost in the long run. Where nothing flows nothing is settled: a
 * trickle would keep ground from drying out.
 * @param heldM3 what the giver gave and did not reach the taker yet
 * @param wantedM3 its rate times the step
 */
export function handedOver(heldM3: number, wantedM3: number, dt: number): number {
  const more = (heldM3 - wantedM3) * settledShare(dt)
  const most = MOST_SETTLED * wantedM3
  return wantedM3 + Math.max(-most, Math.min(most, more))
}

/** Share of what is held that a step settles. */
const settledShare = (dt: number): number => Math.min(1, dt / DAY_S)
