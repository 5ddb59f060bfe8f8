export interface Spot {
  x: number
  y: number
}

/** Room of a badge with its border, CSS pixels. */
const WIDTH = 46
const HEIGHT = 28
const ROUNDS = 60

/**
 * How far badges move up or down so that none covers another: those that would overlap part evenly, in the order in which
 * they stand, and the rest stay where they are.
 * @param spots places on the screen, CSS pixels
 * @returns pixels downwards, one a spot
 */
export function spreadApart(spots: readonly Spot[]): number[] {
  const ys = spots.map(({ y }) => y)
  // Those that stand at one height keep the order that they are given in.
  const order = [...spots.keys()].sort((a, b) => spots[a].y - spots[b].y || a - b)
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false
    for (let i = 0; i < order.length; i++)
      for (let j = i + 1; j < order.length; j++) {
        const [upper, lower] = [order[i], order[j]]
        if (Math.abs(spots[upper].x - spots[lower].x) >= WIDTH) continue
        const lack = HEIGHT - (ys[lower] - ys[upper])
        if (lack <= 0.01) continue
        ys[upper] -= lack / 2
        ys[lower] += lack / 2
        moved = true
      }
    if (!moved) break
  }
  return ys.map((y, k) => y - spots[k].y)
}
