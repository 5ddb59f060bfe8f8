/** Where the film looks from. */
import * as THREE from 'three'
import type { FilmRun } from './film-run.ts'
import type { TownScene } from './scene.ts'

const ROAD = 2
/** Cells about a street that count for how flooded it is. */
const ABOUT = 9

/** The street cell with the most water about it. */
export function lowPoint({ codes, maxDepthM, nrows, ncols }: FilmRun): { row: number; col: number } {
  let best = { row: nrows / 2, col: ncols / 2 }
  let most = -1
  for (let row = ABOUT; row < nrows - ABOUT; row += 2)
    for (let col = ABOUT; col < ncols - ABOUT; col += 2) {
      if (codes[row * ncols + col] !== ROAD) continue
      let sum = 0
      for (let r = row - ABOUT; r <= row + ABOUT; r++)
        for (let c = col - ABOUT; c <= col + ABOUT; c++) {
          const k = r * ncols + c
          if (codes[k] === ROAD) sum += Math.min(0.6, maxDepthM[k])
        }
      if (sum > most) {
        most = sum
        best = { row, col }
      }
    }
  return best
}

/**
 * A place of the camera: around a target, turned by `turn` degrees from the south, `away` m off and `up` m above it.
 */
interface Key {
  atS: number
  turn: number
  away: number
  up: number
  x: number
  y: number
  z: number
}

const FIELDS = ['turn', 'away', 'up', 'x', 'y', 'z'] as const

/** The way of the camera through the film, without a jerk at any key. */
export class CameraPath {
  private readonly keys: Key[]

  constructor(scene: TownScene, low: { row: number; col: number }) {
    const street = scene.place(low.row, low.col)
    const { x, y, z } = street
    this.keys = [
      { atS: 0, turn: -34, away: 3250, up: 1350, x: 0, y: 60, z: 260 },
      { atS: 5, turn: -20, away: 2850, up: 1250, x: 0, y: 80, z: 220 },
      { atS: 10.5, turn: -4, away: 1950, up: 950, x: x * 0.6, y: 90, z: z * 0.6 },
      { atS: 13.5, turn: 8, away: 620, up: 400, x, y, z },
      { atS: 18.6, turn: 40, away: 540, up: 330, x, y, z },
      { atS: 21.7, turn: 28, away: 2700, up: 880, x: x * 0.3, y: 240, z: z * 0.3 + 60 },
      { atS: 25.6, turn: 4, away: 2750, up: 1050, x: x * 0.2, y: 230, z: z * 0.2 + 60 },
      { atS: 28.8, turn: 0, away: 60, up: 7500, x: 1180, y: 90, z: -330 },
      { atS: 36, turn: 0, away: 60, up: 7350, x: 1180, y: 90, z: -330 },
    ]
  }

  at(timeS: number): { eye: THREE.Vector3; target: THREE.Vector3 } {
    const keys = this.keys
    const next = Math.max(
      1,
      Math.min(
        keys.length - 1,
        keys.findIndex(({ atS }) => atS > timeS),
      ),
    )
    const value = Object.fromEntries(
      FIELDS.map((field) => [field, this.hermite(next, field, timeS)]),
    ) as Record<(typeof FIELDS)[number], number>
    const target = new THREE.Vector3(value.x, value.y, value.z)
    const turn = (value.turn * Math.PI) / 180
    const eye = new THREE.Vector3(
      value.x + Math.sin(turn) * value.away,
      value.y + value.up,
      value.z + Math.cos(turn) * value.away,
    )
    return { eye, target }
  }

  /**
   * Cubic between two keys; at a key the speed is the mean of both sides where they agree, else 0 (Fritsch and Butland
   * 1984).
   */
  private hermite(next: number, field: (typeof FIELDS)[number], timeS: number): number {
    const keys = this.keys
    const slope = (k: number) => (keys[k + 1][field] - keys[k][field]) / (keys[k + 1].atS - keys[k].atS)
    const speed = (k: number) => {
      if (k === 0 || k === keys.length - 1) return 0
      const [before, after] = [slope(k - 1), slope(k)]
      return before * after > 0 ? (2 * before * after) / (before + after) : 0
    }
    const [a, b] = [keys[next - 1], keys[next]]
    const length = b.atS - a.atS
    const t = Math.min(1, Math.max(0, (timeS - a.atS) / length))
    return (
      a[field] * (1 + 2 * t) * (1 - t) ** 2 +
      speed(next - 1) * length * t * (1 - t) ** 2 +
      b[field] * t * t * (3 - 2 * t) +
      speed(next) * length * t * t * (t - 1)
    )
  }
}
