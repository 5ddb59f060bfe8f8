import { bandShare, growthAt, snowShare } from '../layers.ts'
import { uniform, wordSeed } from '../noise.ts'

/** What stands in the radar's beam, from north clockwise. */
export interface Obstacle {
  fromDeg: number
  toDeg: number
  distanceM: number
  /** How high it reaches above the antenna's horizon, degrees. */
  topDeg: number
}

/** What a beam meets besides rain. */
export interface Scene {
  /** Height above the antenna at which snow starts to melt, m. */
  meltingM: number
  obstacles: readonly Obstacle[]
  /** Whether the ground echoes. */
  clutter: boolean
  /** Seeds where the ground echoes: the same through the life of a radar. */
  groundSeed: number
  /** Wind that carries the drops, m/s. */
  wind: { eastMS: number; northMS: number }
}

const EFFECTIVE_RADIUS_M = 8_495_000
const RAD = Math.PI / 180

/** Height of a direction above the antenna, m: a circle of four thirds of the earth's radius. */
export const heightOf = (rangeM: number, elevationDeg: number): number =>
  rangeM * Math.sin(elevationDeg * RAD) +
  (rangeM * Math.cos(elevationDeg * RAD)) ** 2 / (2 * EFFECTIVE_RADIUS_M)

/** Places within the beam, half power widths from its middle, with their share of the power there and back. */
const LOBE = [-0.7, -0.45, -0.2, 0, 0.2, 0.45, 0.7].map((at) => ({
  at,
  power: Math.exp(-8 * Math.log(2) * at * at),
}))
const LOBE_SUM = LOBE.reduce((sum, { power }) => sum + power, 0)

/** Over the beam at one distance. */
export interface BeamLayer {
  heightM: number
  snow: number
  band: number
  /** Of light rain against that at the ground. */
  growth(groundMmH: number): number
}

/** What of the melting layer a beam takes in at a distance. */
export function beamLayer(
  rangeM: number,
  elevationDeg: number,
  beamWidthDeg: number,
  meltingM: number,
): BeamLayer {
  let [snow, band] = [0, 0]
  for (const { at, power } of LOBE) {
    const height = heightOf(rangeM, elevationDeg + at * beamWidthDeg)
    snow += (power / LOBE_SUM) * snowShare(height, meltingM)
    band += (power / LOBE_SUM) * bandShare(height, meltingM)
  }
  const heightM = Math.max(0, heightOf(rangeM, elevationDeg))
  return { heightM, snow, band, growth: (groundMmH) => growthAt(heightM, meltingM, groundMmH) }
}

/** What an obstacle lets through at a direction, 0 to 1 of the power there and back. */
export function passing(
  obstacles: readonly Obstacle[],
  azimuthDeg: number,
  rangeM: number,
  elevationDeg: number,
  beamWidthDeg: number,
): number {
  let least = 1
  for (const { fromDeg, toDeg, distanceM, topDeg } of obstacles) {
    if (rangeM < distanceM || azimuthDeg < fromDeg || azimuthDeg >= toDeg) continue
    let seen = 0
    for (let at = -1; at <= 1.001; at += 0.05)
      if (elevationDeg + at * beamWidthDeg > topDeg) seen += Math.exp(-8 * Math.log(2) * at * at)
    least = Math.min(least, seen / WHOLE)
  }
  return least
}
const WHOLE = Array.from({ length: 41 }, (_, k) => Math.exp(-8 * Math.log(2) * (0.05 * k - 1) ** 2)).reduce(
  (sum, power) => sum + power,
  0,
)

/** Side of a place that echoes, m; how many there are near the radar, and how fast they become fewer. */
const PLACE_M = 400
const CROWDED = 0.3
const FEWER_M = 7000

/** Echo of the ground at a place, dBZ; -Infinity for none. It falls as the beam rises from it. */
export function groundEcho(
  { clutter, groundSeed }: Scene,
  eastM: number,
  northM: number,
  elevationDeg: number,
): number {
  if (!clutter) return Number.NEGATIVE_INFINITY
  const seed = wordSeed('ground', groundSeed)
  const [i, j] = [Math.floor(eastM / PLACE_M), Math.floor(northM / PLACE_M)]
  const chance = CROWDED * Math.exp(-Math.hypot(eastM, northM) / FEWER_M)
  if (uniform(i, j, 0, seed) >= chance) return Number.NEGATIVE_INFINITY
  return 25 + 30 * uniform(i, j, 1, seed) - 16 * Math.max(0, elevationDeg - 0.5)
}
