import type { SewerNetwork, SewerStorageLosses, SewerTable } from '@radx/contracts'
import { type Climate, createClimate, ofMonth } from '../../runoff/climate.ts'
import { type GreenAmptSoil, greenAmpt } from '../../runoff/green-ampt.ts'
import type { ExplicitArrays } from './arrays.ts'
import { SHAPES, type TankShape } from './tanks.ts'

/** What storage nodes lose to the air and through their beds. */
export interface TankLosses {
  any: boolean
  /** Takes the losses at a step's start off `rates`, m3/s in the file's order; no node loses more than it holds. */
  take(rates: Float64Array, timeS: number, dt: number): void
  /** Counts what the step lost, by the mean of the rates at its two ends, and gives it back to what is told as having come in. */
  account(dt: number): void
  /** Since the start, m3. */
  lost(): number
  evaporated(): number
}

/** Less water than this loses none, m3 (0.0001 ft3). */
const FILM_M3 = 0.0001 * 0.3048 ** 3

interface Tank {
  node: number
  position: number
  shape: TankShape
  losses: SewerStorageLosses
  bed: Bed
  floor: GreenAmptSoil | null
  banks: GreenAmptSoil | null
}

/** Where a tank's floor ends and its banks begin. */
interface Bed {
  floorM2: number
  banksFromM: number
  banksToM: number
  /** Largest surface that still counts. */
  mostM2: number
}

/** Losses by depth and surface at the step's start, as EPA SWMM's (node.c, exfil.c of 5.2; Reference Manual II, 3.5.3). */
export function createTankLosses(
  network: SewerNetwork,
  positionOf: ArrayLike<number>,
  shapes: readonly TankShape[],
  arrays: Pick<ExplicitArrays, 'own' | 'depth' | 'lateralVolumes'>,
): TankLosses {
  const tanks = network.nodes.flatMap((node, n): Tank[] => {
    if (node.kind !== 'storage' || !node.losses) return []
    const { losses } = node
    const shape = shapes[positionOf[n]]
    const soil = () => (losses.conductivity > 0 && losses.deficit > 0 ? greenAmpt(losses, true) : null)
    const table = node.shape.type === 'tabular' ? node.shape.table : null
    const bed = table ? bedOf(table) : openBed(shape)
    return [{ node: n, position: positionOf[n], shape, losses, bed, floor: soil(), banks: soil() }]
  })
  const climate = climateOf(network)
  const conductivity = network.climate?.adjustments.conductivity ?? null
  const evaporating = new Float64Array(tanks.length)
  const seeping = new Float64Array(tanks.length)
  const wasEvaporating = new Float64Array(tanks.length)
  const wasSeeping = new Float64Array(tanks.length)
  let [evaporated, seeped] = [0, 0]

  return {
    any: tanks.length > 0,
    take(rates, timeS, dt) {
      const now = climate(timeS)
      const factor = ofMonth(conductivity, now.month, 1)
      wasEvaporating.set(evaporating)
      wasSeeping.set(seeping)
      tanks.forEach((tank, k) => {
        const { position, shape, losses } = tank
        const held = arrays.own[position]
        evaporating[k] = seeping[k] = 0
        if (!(held > FILM_M3)) return
        const depth = arrays.depth[position]
        const area = shape.area(depth)
        evaporating[k] = area * now.evaporation * losses.evaporationShare
        if (losses.conductivity > 0) seeping[k] = exfiltration(tank, dt, depth, area, factor, now.recovery)
        const share = held / ((evaporating[k] + seeping[k]) * dt)
        if (share < 1) {
          evaporating[k] *= share
          seeping[k] *= share
        }
        rates[tank.node] -= evaporating[k] + seeping[k]
      })
    },
    account(dt) {
      tanks.forEach(({ node }, k) => {
        const air = 0.5 * (wasEvaporating[k] + evaporating[k]) * dt
        const ground = 0.5 * (wasSeeping[k] + seeping[k]) * dt
        evaporated += air
        seeped += ground
        arrays.lateralVolumes[node] += air + ground
      })
    },
    lost: () => evaporated + seeped,
    evaporated: () => evaporated,
  }
}

/** Through the floor under all of the depth, through the banks under half of that above their foot. m3/s */
function exfiltration(
  { bed, losses, floor, banks }: Tank,
  dt: number,
  depth: number,
  area: number,
  factor: number,
  recovery: number,
): number {
  const rate = (soil: GreenAmptSoil | null, under: number) =>
    soil ? soil.take(dt, 0, under, factor, recovery) : losses.conductivity * factor
  let out = rate(floor, depth) * bed.floorM2
  const sides = Math.min(area, bed.mostM2) - bed.floorM2
  if (depth > bed.banksFromM && sides > 0) {
    const over = Math.max(0, depth - bed.banksToM)
    out += sides * rate(banks, over + (Math.min(depth, bed.banksToM) - bed.banksFromM) / 2)
  }
  return out
}

const openBed = (shape: TankShape): Bed => ({
  floorM2: shape.kind === SHAPES.polynomial ? Math.max(0, shape.a0) : shape.area(0),
  banksFromM: 0,
  banksToM: Infinity,
  mostM2: Infinity,
})

/** Banks rise from the first widening of the curve to its last. */
function bedOf({ x, y }: SewerTable): Bed {
  const bed: Bed = { floorM2: y[0], banksFromM: 0, banksToM: 0, mostM2: 0 }
  for (let i = 1; i < x.length; i++) {
    if (y[i] > y[i - 1]) {
      bed.mostM2 = y[i]
      bed.banksToM = x[i]
    } else if (y[i] === y[i - 1] && bed.mostM2 === 0) bed.banksFromM = x[i]
    else break
  }
  return bed
}

const STILL: Climate = { month: 0, evaporation: 0, recovery: 1, rain: 1 }

function climateOf({ climate, options }: SewerNetwork): (timeS: number) => Climate {
  if (!climate) return () => STILL
  const { evaporation, adjustments, recovery } = climate
  const all = { evaporation, recovery, startEpochS: options.startEpochS }
  return createClimate({ ...all, adjustments: { ...adjustments, rain: null } }).at
}
