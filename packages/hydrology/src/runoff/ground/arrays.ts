import type { Room } from '../../sewer/network/room.ts'

/** One figure a subcatchment. */
export const OF_SUBCATCHMENT = [
  'areaM2',
  // Area that no measure covers, m2.
  'groundM2',
  // Rain, evaporation, what other subcatchments send and what pervious ground takes in, m/s, in the step.
  'rain',
  'evaporation',
  'onGround',
  'taken',
  // What other subcatchments and drains gave and is held, m3, their rate, m3/s, and what of it is used in the step, m3.
  'runonM3',
  'runonRate',
  'usedM3',
  // What evaporated and went in, and what left over the surface and through drains of measures in the step, m3.
  'evaporatedM3',
  'infiltratedM3',
  'outM3',
  'drainedM3',
  // What leaves over the surface at the step's end, m3/s.
  'flow',
  // Sums since the start, m3, and the largest flow at the end of a step, m3/s, with its time, s.
  'rainM3',
  'runonSumM3',
  'evaporationM3',
  'infiltrationM3',
  'imperviousM3',
  'perviousM3',
  'runoffM3',
  // The same by the rate at each step's end for the whole step, as EPA SWMM's report sums it.
  'ratedM3',
  'ratedImperviousM3',
  'ratedPerviousM3',
  'peak',
  'peakS',
] as const

/** Three figures a subcatchment, [kind of ground][subcatchment], `stride` apart: bare, with hollows, pervious. */
export const OF_GROUND = [
  // Share of the subcatchment's ground and its area, m2; depth of its hollows, m; Manning's n, and what it makes of depth.
  'share',
  'm2',
  'store',
  'rough',
  'alpha',
  // Share of what leaves it that goes onto the other kind of ground.
  'onward',
  // Depth, m; what left in the step, m, and its rate at the end, m/s; what others gave it and is held, m3, and their rate, m3/s.
  'depth',
  'left',
  'rate',
  'passed',
  'passRate',
] as const

/** State of all subcatchments, SI. */
export type GroundArrays = Record<
  (typeof OF_SUBCATCHMENT)[number] | (typeof OF_GROUND)[number],
  Float64Array
> & {
  count: number
  /** From one kind of ground to the next: even, for loops over pairs. */
  stride: number
  /** Pairs (2p, 2p + 1) that the loops move, ascending; the others rest (rest.ts). */
  pairs: Int32Array
}

export const BARE = 0
export const HOLLOW = 1
export const PERVIOUS = 2

export function groundArrays(room: Pick<Room, 'f64' | 'i32'>, count: number): GroundArrays {
  const stride = count + (count % 2)
  const rows = (names: readonly string[], values: number) => names.map((name) => [name, room.f64(values)])
  return {
    ...Object.fromEntries([...rows(OF_SUBCATCHMENT, stride), ...rows(OF_GROUND, 3 * stride)]),
    count,
    stride,
    pairs: room.i32(stride / 2),
  }
}

/** Loops over `pairs` from a place in it to another. */
export interface GroundLoops {
  /** Moves water on the ground by one step, within and towards outlets. @returns whether any of it runs */
  move(dt: number, from: number, to: number): boolean
  /** Adds the step to the sums. @param endS its end */
  note(dt: number, endS: number, from: number, to: number): void
}
