import { HydrologyError } from '../errors.ts'
import type { Sewer } from '../sewer/types.ts'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { Drain, Drained } from '../surface/drains.ts'
import type { Surface } from '../surface/surface.ts'
import { DEFAULT_INLET_SIDE_M, inletLaw, ORIFICE } from './exchange.ts'

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
  /** Share of what the inlet's law lets in that it takes, 0 (blocked) to 1; default 1. */
  efficiency?: number
}

/** Junctions whose gully cells lie lower than their rim: their rim closes them until the head passes it. */
export interface LevelMismatch {
  junction: string
  rimM: number
  groundM: number
}

interface Opening {
  cell: number
  node: number
  /** Ground of the cell: crest of the weir, m. */
  crestM: number
  areaM2: number
  /** How it takes; what only gives back does not. */
  law?: ReturnType<typeof inletLaw>
}

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
export class Coupling implements Stateful {
  readonly mismatches: LevelMismatch[] = []
  /** m3 that the sewer has given back. */
  givenBackM3 = 0
  /** All openings, those of a node beside each other: node k has `starts[k]` to `starts[k + 1]`. */
  private readonly openings: Opening[]
  private readonly starts: Int32Array
  private readonly cells: Int32Array
  private readonly depthAt: (opening: number) => number
  private readonly crests: Float64Array
  /** Share of each opening in what its node gives back. */
  private readonly shares: Float64Array
  /** What the surface's drains take, by node. */
  private readonly drained: Drained
  /** Level at which a node gives out while its openings are dry, m; of one without any what the sewer has. */
  private readonly dryLevels: Float64Array
  /** What gullies took for the sewer's move under way, m3 a node. */
  private readonly moving: Float64Array
  private movingS = 0
  /** What others beside gullies gave since the last `begin`, m3 a node; none until `takePours`. */
  private poured: Float64Array | null = null
  /** m3 that others beside gullies have given to the sewer. */
  pouredM3 = 0
  private readonly surface: Surface
  private readonly sewer: Sewer
  /** Time since the last `begin`, s. */
  pendingS = 0

  constructor(surface: Surface, sewer: Sewer, options: CouplingOptions) {
    this.surface = surface
    this.sewer = sewer
    const nodes = sewer.network.nodes
    this.moving = new Float64Array(nodes.length)
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
    this.depthAt = surface.depthReader(this.cells)
    this.crests = Float64Array.from(this.openings, (opening) => opening.crestM)
    this.shares = Float64Array.from(this.openings, ({ node, areaM2 }) => {
      return areaM2 / byNode[node].reduce((sum, opening) => sum + opening.areaM2, 0)
    })
    const drains = this.openings.flatMap(({ cell, node, crestM, law }): Drain[] =>
      law && options.takes ? [{ cell, outlet: node, crestM, ...law }] : [],
    )
    this.drained = surface.setDrains(drains, nodes.length)
    this.drained.headsM.set(sewer.heads)
    this.dryLevels = sewer.surfaceLevels.map((level, k) => {
      const lowest = Math.min(...byNode[k].map(({ crestM }) => crestM))
      return byNode[k].length > 0 ? Math.max(lowest, sewer.groundElevations[k]) : level
    })
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
      areaM2: width * length,
      law: inletLaw(width, length, gully.efficiency),
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
      openings.push({ cell: ownCell, node, crestM: ground, areaM2 })
    }
    const total = openings.reduce((sum, opening) => sum + opening.areaM2, 0)
    sewer.openingAreas[node] = (total * ORIFICE) / SEWER_OPENING_COEFFICIENT
    const groundM = Math.min(...openings.map((opening) => opening.crestM))
    const rimM = sewer.groundElevations[node]
    if (groundM < rimM - 0.01)
      this.mismatches.push({ junction: sewer.network.nodes[node].name, rimM, groundM })
  }

  /** Between two moves; what drains see and took is the surface's. */
  visit(state: StateVisitor): void {
    if (this.movingS > 0) throw new RangeError('a state within a move of the sewer')
    this.givenBackM3 = state.number('givenBackM3', this.givenBackM3)
    this.pendingS = state.number('pendingS', this.pendingS)
    state.scratch(this.moving)
    if (!this.poured) return
    this.pouredM3 = state.number('pouredM3', this.pouredM3)
    state.scratch(this.poured)
  }

  /** m3 that gullies have given to the sewer. */
  get takenM3(): number {
    return this.drained.totalM3
  }

  /** From now on others may `pour`; to be said before the first step. */
  takePours(): void {
    this.poured = new Float64Array(this.moving.length)
  }

  /** Gives a node water, which the sewer gets with the next `begin`. */
  pour(node: number, volumeM3: number): void {
    this.poured![node] += volumeM3
    this.pouredM3 += volumeM3
  }

  /** The surface goes on by `dtS`; the sewer gets what its drains take then with the next `begin`. */
  pass(dtS: number): void {
    this.pendingS += dtS
  }

  /** Hands the sewer what gullies took since the last `begin`; it then moves by that time with `work`. */
  begin(): void {
    if (this.pendingS === 0) return
    this.setLevels()
    const { volumesM3 } = this.drained
    this.moving.set(volumesM3)
    volumesM3.fill(0)
    if (this.poured) {
      for (let k = 0; k < this.poured.length; k++) this.moving[k] += this.poured[k]
      this.poured.fill(0)
    }
    this.sewer.begin(this.pendingS, this.moving)
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
   * Gullies see the mean of the head and what they saw before: each side sees the other one stretch late, and on heads
   * as they are a surcharged gully takes and gives back in turn.
   */
  private look(): void {
    const { headsM } = this.drained
    const { heads } = this.sewer
    for (let k = 0; k < heads.length; k++) headsM[k] = (headsM[k] + heads[k]) / 2
  }

  /**
   * A node gives out above its rim, and above the water that stands on its lowest opening. That water is looked at
   * only where the head could reach it.
   */
  private setLevels(): void {
    const { starts, depthAt, crests, dryLevels } = this
    const { surfaceLevels, heads } = this.sewer
    surfaceLevels.set(dryLevels)
    for (let node = 0; node < dryLevels.length; node++) {
      if (starts[node] === starts[node + 1] || !(heads[node] > dryLevels[node] - NEAR_M)) continue
      let water = Number.POSITIVE_INFINITY
      for (let k = starts[node]; k < starts[node + 1]; k++) water = Math.min(water, crests[k] + depthAt(k))
      if (water > surfaceLevels[node]) surfaceLevels[node] = water
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
