import { HydrologyError } from '../errors.ts'
import { greenAmpt } from '../runoff/green-ampt.ts'
import type { Design } from '../runoff/measures/layers.ts'
import { Measure, UNIT_STATE } from '../runoff/measures/unit.ts'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { Surface } from '../surface/surface.ts'

/** In the name of what a state keeps of units: raised when that of before could not be gone on from. */
const STATE_VERSION = 1

/** Ground below a swale. */
export interface SwaleGround {
  suctionM: number
  conductivity: number
  deficit: number
}

/** A measure on cells of the surface, which get nothing but what it gives back: a unit of the sewer's runoff on each. */
export interface MeasureSite {
  name: string
  /** row * ncols + col, row 0 north. */
  cells: Int32Array
  design: Design
  /** Part of each cell that it takes up; it gets the water of all of it. */
  share: number
  initialShare: number
  /** Takes the rain alone, and not what stands on its cells. */
  onRoof: boolean
  /** Ground below a swale. */
  ground: SwaleGround | null
  /** Potential evaporation, m/s. */
  evaporationMS: number
  /** Node of the sewer that its drain leads to; -1: onto the surface. */
  node: number
}

/** Where the water of a measure went since the start, m3. */
export interface MeasureVolumes {
  rainM3: number
  /** Net, from the surface around. */
  inflowM3: number
  initialM3: number
  storedM3: number
  infiltratedM3: number
  evaporatedM3: number
  drainedM3: number
  /** Net, back onto the surface. */
  overflowM3: number
  /** What came in and is nowhere. */
  errorM3: number
}

/**
 * A unit's layers change slowly: it waits so long, s, less where more water than a film, m, stands on it, and not at all under
 * water that would pass over it, m, nor while it drains into the sewer. Rain that falls meanwhile is kept for it.
 */
const WAITS_S = 30
const WAITS_WET_S = 10
const FILM_M = 1e-4
const PASSING_M = 2e-3

/** Counts of a site. */
const COUNTS = [
  'rainM3',
  'inflowM3',
  'initialM3',
  'infiltratedM3',
  'evaporatedM3',
  'drainedM3',
  'overflowM3',
] as const
const [RAIN, INFLOW, INITIAL, INFILTRATED, EVAPORATED, DRAINED, OVERFLOW] = COUNTS.keys()

/** Of all measures what the balance of a run counts beside surface and sewer, m3. */
export interface MeasureTotals {
  rainM3: number
  /** More in them than at the start. */
  storedM3: number
  infiltratedM3: number
  evaporatedM3: number
  /** Through drains, into the sewer or onto the surface. */
  drainedM3: number
}

/** Takes what drains bring to a node of the sewer, m3. */
type Pour = (node: number, volumeM3: number) => void

interface Placed {
  unit: Measure
  site: number
  cell: number
  /** Cell onto which the drain leads; that of the unit where it is a roof's. */
  drainCell: number
}

/**
 * Measures that hold water, on one clock with the surface: after each of its steps they take the step's rain of their cells,
 * on the ground also what stands there, by the layers of the sewer's runoff, and give back what does not go in.
 */
export class SurfaceMeasures implements Stateful {
  readonly sites: readonly MeasureSite[]
  private readonly surface: Surface
  private readonly placed: Placed[]
  private readonly cells: Int32Array
  private readonly cellM2: number
  /** Rain on the units, m/s, and on what is left of the surface. */
  private readonly rates: Float64Array
  private readonly left: Float64Array
  /** Time since each unit's last step, s, and the rain of it, m3. */
  private readonly waitingS: Float64Array
  private readonly waitingM3: Float64Array
  private readonly counts: Float64Array

  /** @throws HydrologyError `measures.cell` for a cell twice or outside the model */
  constructor(surface: Surface, sites: readonly MeasureSite[]) {
    this.surface = surface
    this.sites = sites
    this.cellM2 = surface.grid.cellSizeM ** 2
    this.cells = Int32Array.from(sites.flatMap(({ cells }) => [...cells]))
    checkCells(surface, this.cells)
    const taken = new Set(this.cells)
    this.placed = sites.flatMap((site, k) => {
      const below = site.onRoof ? -1 : lowestBeside(surface, site.cells, taken)
      return Array.from(site.cells, (cell) => ({
        unit: unitOf(site, surface.grid.cellSizeM),
        site: k,
        cell,
        drainCell: below < 0 ? cell : below,
      }))
    })
    this.rates = new Float64Array(this.placed.length)
    this.waitingS = new Float64Array(this.placed.length)
    this.waitingM3 = new Float64Array(this.placed.length)
    this.left = new Float64Array(surface.grid.elevationM.length)
    this.counts = new Float64Array(sites.length * COUNTS.length)
    this.countAnew()
  }

  /** Rain from now on, m/s. @returns what of it falls on the surface: none on the cells of measures */
  under(rateMS: number | ArrayLike<number>): ArrayLike<number> {
    const { left, rates, cells } = this
    if (typeof rateMS === 'number') left.fill(rateMS)
    else left.set(rateMS)
    cells.forEach((cell, k) => {
      rates[k] = left[cell]
      left[cell] = 0
    })
    return left
  }

  /**
   * After a step of the surface.
   * @param timeS at its start
   * @param pour takes what drains bring to a node of the sewer, m3; without it they lead onto the surface
   */
  step(dt: number, timeS: number, pour?: Pour): void {
    const { placed, rates, waitingS, waitingM3, counts, cellM2 } = this
    for (let k = 0; k < placed.length; k++) {
      const rainM3 = rates[k] * dt * cellM2
      counts[placed[k].site * COUNTS.length + RAIN] += rainM3
      waitingS[k] += dt
      waitingM3[k] += rainM3
      if (this.isDue(placed[k], waitingS[k], pour)) this.stepUnit(k, timeS, pour)
    }
  }

  private isDue({ unit, site, cell }: Placed, waitedS: number, pour?: Pour): boolean {
    const { onRoof, node } = this.sites[site]
    if (waitedS >= WAITS_S || (pour && node >= 0 && unit.drained)) return true
    const standingM = onRoof ? 0 : this.surface.depthM(cell)
    return standingM > PASSING_M || (standingM > FILM_M && waitedS >= WAITS_WET_S)
  }

  private stepUnit(k: number, timeS: number, pour?: Pour): void {
    const { surface, counts, cellM2, waitingS, waitingM3 } = this
    const { unit, site, cell, drainCell } = this.placed[k]
    const { evaporationMS, onRoof, node } = this.sites[site]
    const { totalM2 } = unit
    const dt = waitingS[k]
    const rainM3 = waitingM3[k]
    waitingS[k] = 0
    waitingM3[k] = 0
    const standingM3 = onRoof ? 0 : surface.depthM(cell) * cellM2
    const inflow = (rainM3 + standingM3) / totalM2 / dt
    const made = unit.step(dt, timeS, inflow, evaporationMS, 0)
    unit.drySinceS = rainM3 > 0 ? 0 : unit.drySinceS + dt
    // Only what it keeps leaves its cell, so that water that passes over a full one keeps its way.
    const netM3 = made.outflow * totalM2 - standingM3
    const changeM3 = netM3 === 0 ? 0 : surface.addVolume(cell, netM3)
    const drainM3 = made.drain * totalM2
    if (drainM3 > 0) {
      if (pour && node >= 0) pour(node, drainM3)
      else surface.addVolume(drainCell, drainM3)
    }
    const at = site * COUNTS.length
    counts[at + (changeM3 < 0 ? INFLOW : OVERFLOW)] += Math.abs(changeM3)
    counts[at + INFILTRATED] += made.seepage * totalM2
    counts[at + EVAPORATED] += made.evaporation * totalM2
    counts[at + DRAINED] += drainM3
  }

  /** What is in them now is what this run begins with. */
  countAnew(): void {
    this.counts.fill(0)
    for (const [site, storedM3] of this.stored().entries())
      this.counts[site * COUNTS.length + INITIAL] = storedM3
  }

  /** Water in each site, m3, with the rain that waits for it. */
  private stored(): Float64Array {
    const stored = new Float64Array(this.sites.length)
    this.placed.forEach(({ unit, site }, k) => {
      stored[site] += unit.volume() * unit.totalM2 + this.waitingM3[k]
    })
    return stored
  }

  /** By site. */
  volumes(): MeasureVolumes[] {
    const stored = this.stored()
    return this.sites.map((_, site) => {
      const count = (which: number) => this.counts[site * COUNTS.length + which]
      const [rainM3, inflowM3, initialM3] = [count(RAIN), count(INFLOW), count(INITIAL)]
      const [infiltratedM3, evaporatedM3] = [count(INFILTRATED), count(EVAPORATED)]
      const [drainedM3, overflowM3] = [count(DRAINED), count(OVERFLOW)]
      const storedM3 = stored[site]
      const gone = infiltratedM3 + evaporatedM3 + drainedM3 + overflowM3
      const errorM3 = initialM3 + rainM3 + inflowM3 - storedM3 - gone
      return {
        rainM3,
        inflowM3,
        initialM3,
        storedM3,
        infiltratedM3,
        evaporatedM3,
        drainedM3,
        overflowM3,
        errorM3,
      }
    })
  }

  totals(): MeasureTotals {
    const all = this.volumes()
    const sum = (of: (volumes: MeasureVolumes) => number) => all.reduce((total, each) => total + of(each), 0)
    return {
      rainM3: sum(({ rainM3 }) => rainM3),
      storedM3: sum(({ storedM3, initialM3 }) => storedM3 - initialM3),
      infiltratedM3: sum(({ infiltratedM3 }) => infiltratedM3),
      evaporatedM3: sum(({ evaporatedM3 }) => evaporatedM3),
      drainedM3: sum(({ drainedM3 }) => drainedM3),
    }
  }

  /** Whether a state's cells are those of these measures. */
  standOn(cells: ArrayLike<number> | undefined): boolean {
    return cells?.length === this.cells.length && this.cells.every((cell, k) => cells[k] === cell)
  }

  /** Between two steps; rain is set anew. */
  visit(state: StateVisitor): void {
    state.array('cells', this.cells)
    const units = new Float64Array(this.placed.length * UNIT_STATE)
    this.placed.forEach(({ unit }, k) => {
      unit.save(units, k * UNIT_STATE)
    })
    state.array(`units.${STATE_VERSION}`, units)
    this.placed.forEach(({ unit }, k) => {
      unit.restore(units, k * UNIT_STATE)
    })
    state.array('waitingS', this.waitingS)
    state.array('waitingM3', this.waitingM3)
    state.array('counts', this.counts)
  }
}

function unitOf({ design, share, initialShare, ground }: MeasureSite, cellSizeM: number): Measure {
  const areaM2 = share * cellSizeM ** 2
  const placed = {
    control: 0,
    count: 1,
    areaM2,
    initialShare,
    fromImpervious: 0,
    fromPervious: 0,
    toPervious: false,
    // A swale runs along its cell; a roof drains over the cell's side.
    widthM: design.type === 'swale' ? areaM2 / cellSizeM : cellSizeM,
    drainTo: null,
  }
  return new Measure(design, placed, ground && greenAmpt(ground, true), 0)
}

/** The lowest cell beside a site on which no measure stands; -1 where there is none. */
function lowestBeside({ grid }: Surface, cells: Int32Array, taken: ReadonlySet<number>): number {
  const { ncols, nrows, elevationM } = grid
  let lowest = -1
  for (const cell of cells) {
    const [row, col] = [Math.floor(cell / ncols), cell % ncols]
    const beside = [
      row > 0 ? cell - ncols : -1,
      row < nrows - 1 ? cell + ncols : -1,
      col > 0 ? cell - 1 : -1,
      col < ncols - 1 ? cell + 1 : -1,
    ]
    for (const other of beside) {
      if (other < 0 || taken.has(other) || Number.isNaN(elevationM[other])) continue
      if (lowest < 0 || elevationM[other] < elevationM[lowest]) lowest = other
    }
  }
  return lowest
}

function checkCells({ grid }: Surface, cells: Int32Array): void {
  const seen = new Set<number>()
  for (const cell of cells) {
    if (seen.has(cell) || !(grid.elevationM[cell] > Number.NEGATIVE_INFINITY))
      throw new HydrologyError(
        'measures.cell',
        `Un ouvrage de stockage est hors du bassin versant, ou deux sur une maille : ligne ${Math.floor(cell / grid.ncols) + 1} de la grille, colonne ${(cell % grid.ncols) + 1}.`,
        { details: { cell } },
      )
    seen.add(cell)
  }
}
