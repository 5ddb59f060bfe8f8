import { GRAVITY } from '@radx/contracts/constants'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { Layout } from './layout.ts'
import { SPREAD_SHARE } from './types.ts'

// Local steps: quads of level k take 2^k parts of a step. A level belongs to a quad's eastern and southern faces: their
// discharge holds for their part of the step. Cells go with the shortest-lived of their faces, so that both sides of a
// face see the same discharge for the same time, and no water is made or lost.

/** Depth above which a step of `watchS` must be halved, m; above four times as much, twice. */
export function deepLine({ options, grid }: Layout, watchS: number): number {
  return ((options.cfl * grid.cellSizeM) / watchS) ** 2 / GRAVITY
}

/** The same for the speed at a face, m/s; above twice as much, twice. */
export function speedLine({ grid }: Layout, watchS: number): number {
  return grid.cellSizeM / ((5 / 3) * watchS)
}

/** The parts of a step in time. */
export class Parts {
  private stepS = 0
  private halvings = 0
  private part = 0

  beginStep(stepS: number, halvings: number): void {
    this.stepS = stepS
    this.halvings = halvings
    this.part = 0
  }

  /** The part that begins now, counted in the shortest ones; none after the last. */
  beginPart(part: number): void {
    this.part = part
  }

  endStep(): void {
    this.halvings = 0
    this.part = 0
  }

  /** Whether no part has begun yet that could hold a discharge. */
  get fresh(): boolean {
    return this.part === 0
  }

  /** Length of a part of this level, s. */
  lengthS(level: number): number {
    return this.stepS / 2 ** level
  }

  /** Whether a part of this level begins now. */
  due(level: number): boolean {
    return this.part % 2 ** (this.halvings - level) === 0
  }

  /** Time for which a face of this level will still keep its discharge, s. */
  heldS(level: number): number {
    const parts = 2 ** (this.halvings - level)
    return (this.stepS / 2 ** this.halvings) * (parts - (this.part % parts))
  }
}

/** What the discharges that hold longer than a cell's part will still take from it, m. */
export function owed(
  i: number,
  { grid, stride }: Layout,
  parts: Parts,
  levels: { cell(i: number): number; face(i: number): number },
  qx: (i: number) => number,
  qy: (i: number) => number,
): number {
  if (parts.fresh) return 0
  const own = levels.cell(i)
  if (own === 0) return 0
  const held = (face: number) => {
    const level = levels.face(face)
    return level < own && !parts.due(level) ? parts.heldS(level) : 0
  }
  const out =
    (Math.max(qx(i), 0) + Math.max(qy(i), 0)) * held(i) +
    Math.max(-qx(i - 1), 0) * held(i - 1) +
    Math.max(-qy(i - stride), 0) * held(i - stride)
  // The limiter leaves a millionth.
  return (out / grid.cellSizeM) * (1 + 1e-6)
}

/** Levels of a step, by quads of cells, from what the last one saw. */
export class Levels implements Stateful {
  /** What each quad wants, as seen since the step began. */
  readonly wants: Uint8Array
  /** Of each quad's eastern and southern faces, and of its cells. */
  readonly faces: Uint8Array
  readonly cells: Uint8Array
  private readonly layout: Layout
  private readonly across: number
  private deepM = 0
  private speedMS = 0

  constructor(layout: Layout) {
    this.layout = layout
    this.across = layout.stride / 4
    this.wants = new Uint8Array(layout.size / 4)
    this.faces = new Uint8Array(layout.size / 4)
    this.cells = new Uint8Array(layout.size / 4)
  }

  /** Levels and lines are taken as a step begins. */
  visit(state: StateVisitor): void {
    state.array('wants', this.wants)
    state.scratch(this.faces)
    state.scratch(this.cells)
  }

  /** Before the parts of a step. */
  begin(halvings: number, watchS: number): void {
    const { across, faces, cells } = this
    const size = faces.length
    const beside = (wanted: (quad: number) => boolean) => (quad: number) => {
      const col = quad % across
      return (
        wanted(quad) ||
        (col > 0 && wanted(quad - 1)) ||
        (col < across - 1 && wanted(quad + 1)) ||
        wanted(quad - across) ||
        wanted(quad + across)
      )
    }
    const wants = this.wants.slice()
    const halves = beside((quad) => wants[quad] > 0)
    const quarters = beside((quad) => wants[quad] > 1)
    faces.fill(0)
    for (let quad = across; quad < size - across; quad++) if (halvings > 1 && quarters(quad)) faces[quad] = 2
    // The fastest water may pass several quads in a step: those behind the nearest take halves.
    const fastest = faces.slice()
    const behind = beside((quad) => fastest[quad] > 1)
    for (let quad = across; quad < size - across; quad++)
      if (halvings > 0 && faces[quad] === 0 && (halves(quad) || behind(quad))) faces[quad] = 1
    for (let quad = across; quad < size - across; quad++) {
      const west = quad % across > 0 ? faces[quad - 1] : 0
      cells[quad] = Math.max(faces[quad], west, faces[quad - across])
    }
    this.deepM = deepLine(this.layout, watchS)
    this.speedMS = speedLine(this.layout, watchS)
    this.wants.fill(0)
  }

  private want(quad: number, level: number): void {
    if (level > this.wants[quad]) this.wants[quad] = level
  }

  /** What comes from outside is likely to go on, and must flow away as it comes. */
  cameFromOutside(i: number): void {
    this.want(i >> 2, 2)
  }

  sawDepth(i: number, depthM: number): void {
    if (depthM > this.deepM) this.want(i >> 2, depthM > 4 * this.deepM ? 2 : 1)
  }

  sawSpeed(i: number, speedMS: number): void {
    if (speedMS > this.speedMS) this.want(i >> 2, speedMS > 2 * this.speedMS ? 2 : 1)
  }

  /** Outflow of a cell over its depth. */
  sawSpread(i: number, speedMS: number): void {
    this.sawSpeed(i, SPREAD_SHARE * speedMS)
  }
}
