import type { Place } from '../grid.ts'

/** Places by squares, so that the nearest within a reach is found without looking at all. */
export class Nearby {
  private readonly squares = new Map<string, number[]>()
  private readonly places: Place[] = []
  private readonly reach: number

  /** @param reach largest distance that is asked for, m */
  constructor(reach: number) {
    this.reach = reach
  }

  /** @returns its number, from 0 */
  add(place: Place): number {
    const number = this.places.push(place) - 1
    const key = this.key(place, 0, 0)
    const list = this.squares.get(key)
    if (list === undefined) this.squares.set(key, [number])
    else list.push(number)
    return number
  }

  /** Number of the nearest place within the reach, -1 without one; of two as near the earlier one. */
  find(place: Place): number {
    let best = -1
    let nearest = Number.POSITIVE_INFINITY
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const number of this.squares.get(this.key(place, dx, dy)) ?? []) {
          const [x, y] = this.places[number]
          const away = Math.hypot(x - place[0], y - place[1])
          if (away > this.reach || away > nearest || (away === nearest && number > best)) continue
          best = number
          nearest = away
        }
    return best
  }

  private key([x, y]: Place, dx: number, dy: number): string {
    return `${Math.floor(x / this.reach) + dx} ${Math.floor(y / this.reach) + dy}`
  }
}
