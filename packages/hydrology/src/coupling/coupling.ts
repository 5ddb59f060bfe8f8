import { HydrologyError } from '../errors.ts'
import type { Sewer } from '../sewer/types.ts'
import type { CellGroup, Surface } from '../surface/surface.ts'
import type { Inlet } from './exchange.ts'
import { DEFAULT_INLET_SIDE_M, freeWeirFactor, inletFlow, ORIFICE } from './exchange.ts'

/** A gully of a catchment: a cell of the surface that gives to a junction of the sewer. */
export interface Gully {
  name: string
  /** row * ncols + col, row 0 north. */
  cell: number
  /** Name of the junction. */
  junction: string
  /** Inlet, m; both default to 0.5. */
  widthM?: number
  lengthM?: number
}

/** Junctions whose gully cells lie lower than their rim: their rim closes them until the head passes it. */
export interface LevelMismatch {
  junction: string
  rimM: number
  groundM: number
}

interface Opening extends Inlet {
  cell: number
  node: number
}

/** A gully never quite drains its cell (q ~ h^1.5): what is thinner stays on the street, m. */
const FILM_M = 1e-5

/** A head further below the surface than this does not reach it within a step, m. */
const NEAR_M = 1

/** Discharge coefficient that the sewer uses for `openingAreas`. */
const SEWER_OPENING_COEFFICIENT = 0.6

export interface CouplingOptions {
  gullies: Gully[]
  /** Own cell of each sewer node, or -1 off the grid; used for junctions without a gully. */
  nodeCells: Int32Array
  /** Gullies take water; false when the drainage module is off. */
  takes: boolean
}

/**
 * Exchanges volumes between surface and sewer. What leaves one enters the other to the last bit that the surface's
 * depth can hold; volumes, not rates, are passed on.
 *
 * The sewer moves over a stretch of time (`begin`, `work`, `finish`) while the surface is already in the next one:
 * gullies see the heads, and the surface gets what is given back, one stretch late. So both can run at once, and the
 * answer does not depend on whether they did.
 */
export class Coupling {
  readonly mismatches: LevelMismatch[] = []
  /** m3 that gullies have given to the sewer, and that the sewer has given back. */
  takenM3 = 0
  givenBackM3 = 0
  /** All openings, those of a node beside each other: node k has `starts[k]` to `starts[k + 1]`. */
  private readonly openings: Opening[]
  private readonly starts: Int32Array
  private readonly cells: Int32Array
  private readonly group: CellGroup
  private readonly crests: Float64Array
  /** Share of each opening in what its node gives back. */
  private readonly shares: Float64Array
  /** Openings that take, in the order of their cells in memory, and all that a look at one needs. */
  private readonly takers: Opening[]
  private readonly takersGroup: CellGroup
  private readonly takersNodes: Int32Array
  private readonly takersCrests: Float64Array
  private readonly weirs: Float64Array
  /** Of each of them: depth on its cell, m, then what it takes, m3. */
  private readonly standing: Float64Array
  /** Level at which a node gives out while its openings are dry, m; Infinity where it never does. */
  private readonly dryLevels: Float64Array
  /** What gullies take for the sewer's next move, and what they took for the one under way, m3 a node. */
  private lateral: Float64Array
  private moving: Float64Array
  /** Heads of nodes as gullies see them, m. */
  private readonly seenHeads: Float64Array
  private movingS = 0
  private readonly surface: Surface
  private readonly sewer: Sewer
  private readonly takes: boolean
  /** Time since the last `begin`, s. */
  pendingS = 0

  constructor(surface: Surface, sewer: Sewer, options: CouplingOptions) {
    this.surface = surface
    this.sewer = sewer
    this.takes = options.takes
    const nodes = sewer.network.nodes
    this.lateral = new Float64Array(nodes.length)
    this.moving = new Float64Array(nodes.length)
    this.seenHeads = sewer.heads.slice()
    const byNode: Opening[][] = nodes.map(() => [])
    for (const gully of options.gullies) {
      const opening = this.opening(gully)
      byNode[opening.node].push(opening)
    }
    nodes.forEach((node, k) => {
      if (node.kind !== 'outfall') this.openNode(k, byNode[k], options.nodeCells[k])
    })
    this.openings = byNode.flat()
    this.starts = new Int32Array(nodes.length + 1)
    byNode.forEach((openings, k) => {
      this.starts[k + 1] = this.starts[k] + openings.length
    })
    this.cells = Int32Array.from(this.openings, (opening) => opening.cell)
    this.crests = Float64Array.from(this.openings, (opening) => opening.crestM)
    this.shares = Float64Array.from(this.openings, ({ node, areaM2 }) => {
      return areaM2 / byNode[node].reduce((sum, opening) => sum + opening.areaM2, 0)
    })
    this.takers = this.openings.filter(({ perimeterM }) => perimeterM > 0).sort((a, b) => a.cell - b.cell)
    this.takersGroup = surface.cellGroup(Int32Array.from(this.takers, ({ cell }) => cell))
    this.takersNodes = Int32Array.from(this.takers, ({ node }) => node)
    this.takersCrests = Float64Array.from(this.takers, ({ crestM }) => crestM)
    this.weirs = Float64Array.from(this.takers, ({ perimeterM }) => freeWeirFactor(perimeterM))
    this.standing = new Float64Array(this.takers.length)
    this.group = surface.cellGroup(this.cells)
    this.dryLevels = byNode.reduce((levels, openings, k) => {
      const lowest = Math.min(...openings.map(({ crestM }) => crestM))
      levels[k] = Math.max(lowest, sewer.groundElevations[k])
      return levels
    }, new Float64Array(nodes.length))
  }

  private opening(gully: Gully): Opening {
    const node = this.sewer.nodeIndex(gully.junction)
    if (node < 0)
      throw new HydrologyError(
        'coupling.junction',
        `L’avaloir ${gully.name} donne dans le regard ${gully.junction}, qui n’existe pas dans le réseau. Corriger gullies.csv.`,
        { details: { gully: gully.name, junction: gully.junction } },
      )
    const ground = this.surface.grid.elevationM[gully.cell]
    if (ground === undefined || Number.isNaN(ground))
      throw new HydrologyError(
        'coupling.cell',
        `L’avaloir ${gully.name} est hors du bassin versant. Corriger gullies.csv.`,
        { details: { gully: gully.name } },
      )
    const width = gully.widthM ?? DEFAULT_INLET_SIDE_M
    const length = gully.lengthM ?? DEFAULT_INLET_SIDE_M
    return {
      cell: gully.cell,
      node,
      crestM: ground,
      perimeterM: 2 * (width + length),
      areaM2: width * length,
    }
  }

  /** How a node gives out; a junction without a gully does so at its own cell. */
  private openNode(node: number, openings: Opening[], ownCell: number): void {
    const { sewer } = this
    if (openings.length === 0) {
      const ground = ownCell < 0 ? Number.NaN : this.surface.grid.elevationM[ownCell]
      if (Number.isNaN(ground)) {
        sewer.surfaceLevels[node] = Number.POSITIVE_INFINITY
        return
      }
      const areaM2 = DEFAULT_INLET_SIDE_M ** 2
      // Without a perimeter it only gives back.
      openings.push({ cell: ownCell, node, crestM: ground, perimeterM: 0, areaM2 })
    }
    const total = openings.reduce((sum, opening) => sum + opening.areaM2, 0)
    sewer.openingAreas[node] = (total * ORIFICE) / SEWER_OPENING_COEFFICIENT
    const groundM = Math.min(...openings.map((opening) => opening.crestM))
    const rimM = sewer.groundElevations[node]
    if (groundM < rimM - 0.01)
      this.mismatches.push({ junction: sewer.network.nodes[node].name, rimM, groundM })
  }

  /** Gullies take what they would in `dtS`; the sewer gets it with the next `begin`. */
  takeFor(dtS: number): void {
    this.pendingS += dtS
    if (this.takes) this.take(dtS)
  }

  /** Hands the sewer what gullies took since the last `begin`; it then moves by that time with `work`. */
  begin(): void {
    if (this.pendingS === 0) return
    this.setLevels()
    const taken = this.lateral
    this.lateral = this.moving.fill(0)
    this.moving = taken
    this.sewer.begin(this.pendingS, taken)
    this.movingS = this.pendingS
    this.pendingS = 0
  }

  /** A part of the sewer's move, which the surface does not see before `finish`. @returns whether more is left */
  work(): boolean {
    return this.movingS > 0 && this.sewer.proceed()
  }

  /**
   * The sewer ends its move and gives back what it cannot hold.
   * @returns how far it moved, s; 0 without a move begun
   */
  finish(): number {
    const movedS = this.movingS
    if (movedS === 0) return 0
    this.sewer.end()
    this.look()
    this.giveBack()
    this.movingS = 0
    return movedS
  }

  /**
   * Gullies see the mean of the head and what they saw before: each side sees the other one stretch late, and on heads as
   * they are a surcharged gully takes and gives back in turn.
   */
  private look(): void {
    const { seenHeads } = this
    const { heads } = this.sewer
    for (let k = 0; k < heads.length; k++) seenHeads[k] = (seenHeads[k] + heads[k]) / 2
  }

  private take(dtS: number): void {
    const { takers, takersGroup, takersNodes, takersCrests, weirs, standing, lateral } = this
    const heads = this.seenHeads
    takersGroup.depthsInto(standing)
    for (let k = 0; k < standing.length; k++) {
      const depth = standing[k]
      if (depth < FILM_M) {
        standing[k] = 0
        continue
      }
      const head = heads[takersNodes[k]]
      // Nearly all gullies are free weirs nearly always: no look at the inlet itself.
      const rate =
        head <= takersCrests[k] ? weirs[k] * depth * Math.sqrt(depth) : inletFlow(takers[k], depth, head)
      standing[k] = rate * dtS
    }
    takersGroup.take(standing)
    for (let k = 0; k < standing.length; k++) {
      const taken = standing[k]
      if (taken === 0) continue
      lateral[takersNodes[k]] += taken
      this.takenM3 += taken
    }
  }

  /**
   * A node gives out above its rim, and above the water that stands on its lowest opening. That water is looked at
   * only where the head could reach it.
   */
  private setLevels(): void {
    const { starts, crests, group, dryLevels } = this
    const { surfaceLevels, heads } = this.sewer
    for (let node = 0; node < dryLevels.length; node++) {
      if (starts[node] === starts[node + 1]) continue
      let level = dryLevels[node]
      if (heads[node] > level - NEAR_M) {
        let water = Number.POSITIVE_INFINITY
        for (let k = starts[node]; k < starts[node + 1]; k++)
          water = Math.min(water, crests[k] + group.depthM(k))
        level = Math.max(level, water)
      }
      surfaceLevels[node] = level
    }
  }

  private giveBack(): void {
    const { starts, cells, shares, surface } = this
    const { floodVolumes } = this.sewer
    for (let node = 0; node < floodVolumes.length; node++) {
      if (!(floodVolumes[node] > 0)) continue
      for (let k = starts[node]; k < starts[node + 1]; k++)
        this.givenBackM3 += surface.addVolume(cells[k], floodVolumes[node] * shares[k])
    }
  }
}
