import type { Layout } from './layout.ts'
import { GRAVITY, SPREAD_SHARE } from './types.ts'

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

/** Levels of a step, by quads of cells, from what the last one saw. */
export class Levels {
  /** What each quad wants, as seen since the step began. */
  readonly wants: Uint8Array
  /** Of each quad's eastern and southern faces, and of its cells. */
  readonly faces: Uint8Array
  readonly cells: Uint8Array
  private readonly layout: Layout
  private readonly across: number
  /** Lines of the step under way and of the one before. */
  private deepM = 0
  private speedMS = 0
  private halvings = 0
  private stepS = 0
  private part = 0

  constructor(layout: Layout) {
    this.layout = layout
    this.across = layout.stride / 4
    this.wants = new Uint8Array(layout.size / 4)
    this.faces = new Uint8Array(layout.size / 4)
    this.cells = new Uint8Array(layout.size / 4)
  }

  /** Before the parts of a step. */
  begin(stepS: number, halvings: number, watchS: number): void {
    const { across, wants, faces, cells } = this
    const size = wants.length
    this.stepS = stepS
    this.halvings = halvings
    for (let quad = across; quad < size - across; quad++) {
      const col = quad % across
      const west = col > 0 ? wants[quad - 1] : 0
      const east = col < across - 1 ? wants[quad + 1] : 0
      const most = Math.max(wants[quad], west, east, wants[quad - across], wants[quad + across])
      faces[quad] = Math.min(halvings, most)
    }
    for (let quad = across; quad < size - across; quad++) {
      const west = quad % across > 0 ? faces[quad - 1] : 0
      cells[quad] = Math.max(faces[quad], west, faces[quad - across])
    }
    this.deepM = deepLine(this.layout, watchS)
    this.speedMS = speedLine(this.layout, watchS)
    wants.fill(0)
  }

  beginPart(part: number): void {
    this.part = part
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

  private want(quad: number, level: number): void {
    if (level > this.wants[quad]) this.wants[quad] = level
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
