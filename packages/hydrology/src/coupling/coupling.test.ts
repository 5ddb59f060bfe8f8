import { describe, expect, test } from 'vitest'
import type { Sewer } from '../sewer/types.ts'
import { drainFlow } from '../surface/drains.ts'
import type { Surface } from '../surface/surface.ts'
import { createSurface } from '../surface/surface.ts'
import { reference } from '../testing/kernels.ts'
import type { Gully } from './coupling.ts'
import { Coupling } from './coupling.ts'
import { inletLaw } from './exchange.ts'

/** Three flat cells at 50 m, each within its walls. */
const [A, B, C] = [0, 2, 4]
function street() {
  const elevationM = Float64Array.of(50, Number.NaN, 50, Number.NaN, 50)
  const grid = { nrows: 1, ncols: 5, cellSizeM: 10, elevationM }
  return createSurface(grid, { manning: new Float64Array(5).fill(0.03), edges: 'closed' }, reference)
}

function pass(surface: Surface, coupling: Coupling, dtS: number): void {
  surface.step(dtS, undefined, (partS) => coupling.pass(partS))
}

/** A sewer that does what it is told: two junctions and an outfall. */
function toldSewer(heads: number[], floods: number[]) {
  const received: number[][] = []
  const sewer = {
    network: {
      nodes: [
        { name: 'J-1', kind: 'junction' },
        { name: 'J-2', kind: 'junction' },
        { name: 'OUT', kind: 'outfall' },
      ],
      links: [],
    },
    nodeIndex: (name: string) => ['J-1', 'J-2', 'OUT'].indexOf(name),
    heads: Float64Array.from([...heads, 0]),
    groundElevations: Float64Array.of(50.2, 50, 40),
    surfaceLevels: new Float64Array(3),
    openingAreas: new Float64Array(3),
    floodVolumes: Float64Array.from([...floods, 0]),
    begin: (_dt: number, lateral: Float64Array) => received.push([...lateral]),
    proceed: () => false,
    end: () => {},
  }
  return { sewer: sewer as unknown as Sewer, received }
}

function move(coupling: Coupling): number {
  coupling.begin()
  return coupling.finish()
}

const gullies: Gully[] = [
  { name: 'G-1', cell: A, junction: 'J-1' },
  { name: 'G-2', cell: B, junction: 'J-1', widthM: 1.5 },
]
const options = { gullies, nodeCells: Int32Array.of(A, C, -1), takes: true }

describe('coupling', () => {
  test('what gullies take leaves the cells and reaches their junction, over several surface steps', () => {
    const surface = street()
    for (const cell of [A, B, C]) surface.setDepth(cell, 0.05)
    const { sewer, received } = toldSewer([45, 45], [0, 0])
    const coupling = new Coupling(surface, sewer, options)
    const before = surface.volumes().surfaceM3
    pass(surface, coupling, 2)
    pass(surface, coupling, 2)
    expect(move(coupling)).toBe(4)
    const first = drainFlow({ crestM: 50, ...inletLaw(0.5, 0.5) }, 0.05, 45) * 2
    const second = drainFlow({ crestM: 50, ...inletLaw(1.5, 0.5) }, 0.05, 45) * 2
    expect(received[0][0]).toBeGreaterThan((first + second) * 1.9)
    expect(received[0][0]).toBeLessThan((first + second) * 2)
    expect(received[0].slice(1)).toEqual([0, 0])
    expect(before - surface.volumes().surfaceM3).toBeCloseTo(received[0][0], 10)
    expect(coupling.takenM3).toBeCloseTo(received[0][0], 12)
    expect(move(coupling)).toBe(0)
  })

  test('never more than the cell holds', () => {
    const surface = street()
    surface.setDepth(A, 0.01)
    const { sewer, received } = toldSewer([45, 45], [0, 0])
    const coupling = new Coupling(surface, sewer, options)
    pass(surface, coupling, 3600)
    move(coupling)
    expect(received[0][0]).toBeCloseTo(1, 12)
    expect(surface.depthM(A)).toBe(0)
  })

  test('a junction gives back to its gullies by inlet area, or to its own cell without one', () => {
    const surface = street()
    const { sewer } = toldSewer([51, 51], [8, 3])
    const coupling = new Coupling(surface, sewer, options)
    pass(surface, coupling, 1)
    move(coupling)
    expect(surface.depthM(A)).toBeCloseTo(8 * (0.25 / 1) * 0.01, 12)
    expect(surface.depthM(B)).toBeCloseTo(8 * (0.75 / 1) * 0.01, 12)
    expect(surface.depthM(C)).toBeCloseTo(0.03, 12)
    expect(coupling.givenBackM3).toBeCloseTo(11, 10)
  })

  test('a rim above the cell closes the junction, and is reported; water above the rim raises the level', () => {
    const surface = street()
    // Far below the surface the water on it does not matter.
    const { sewer } = toldSewer([45, 49.5], [0, 0])
    const coupling = new Coupling(surface, sewer, options)
    expect(coupling.mismatches).toEqual([{ junction: 'J-1', rimM: 50.2, groundM: 50 }])
    surface.setDepth(C, 0.4)
    pass(surface, coupling, 1)
    move(coupling)
    expect(sewer.surfaceLevels[0]).toBe(50.2)
    expect(sewer.surfaceLevels[1]).toBeCloseTo(50.4, 12)
  })

  test('what gullies take while the sewer moves is for its next move; what it gives back comes when it ends', () => {
    const surface = street()
    surface.setDepth(A, 0.05)
    const { sewer, received } = toldSewer([45, 45], [0, 3])
    const coupling = new Coupling(surface, sewer, options)
    pass(surface, coupling, 2)
    coupling.begin()
    const first = coupling.takenM3
    pass(surface, coupling, 5)
    expect(surface.depthM(C)).toBe(0)
    expect(coupling.finish()).toBe(2)
    expect(surface.depthM(C)).toBeCloseTo(0.03, 12)
    expect(coupling.finish()).toBe(0)
    expect(move(coupling)).toBe(5)
    expect(received.map(([volume]) => volume)).toEqual([first, expect.closeTo(coupling.takenM3 - first, 12)])
  })

  test('gullies see the mean of the head and what they saw before', () => {
    const surface = street()
    surface.setDepth(A, 0.5)
    const { sewer, received } = toldSewer([50.2, 45], [0, 0])
    const coupling = new Coupling(surface, sewer, { ...options, gullies: gullies.slice(0, 1) })
    pass(surface, coupling, 1)
    sewer.heads[0] = 50.4
    move(coupling)
    const depth = surface.depthM(A)
    pass(surface, coupling, 1)
    move(coupling)
    const inlet = { crestM: 50, ...inletLaw(0.5, 0.5) }
    expect(received[0][0]).toBeCloseTo(drainFlow(inlet, 0.5, 50.2), 12)
    expect(received[1][0]).toBeCloseTo(drainFlow(inlet, depth, 50.3), 12)
    // The head has stood at 50.4 for two moves now.
    const lower = surface.depthM(A)
    pass(surface, coupling, 1)
    move(coupling)
    expect(received[2][0]).toBeCloseTo(drainFlow(inlet, lower, 50.35), 12)
  })

  test('drainage off: gullies take nothing', () => {
    const surface = street()
    surface.setDepth(A, 0.1)
    const { sewer, received } = toldSewer([45, 45], [0, 0])
    const coupling = new Coupling(surface, sewer, { ...options, takes: false })
    pass(surface, coupling, 5)
    move(coupling)
    expect(received[0]).toEqual([0, 0, 0])
    expect(surface.depthM(A)).toBeCloseTo(0.1, 12)
  })

  test('gullies on unknown junctions or outside the model are refused by name', () => {
    const { sewer } = toldSewer([45, 45], [0, 0])
    const bad = (gully: Gully) => () => new Coupling(street(), sewer, { ...options, gullies: [gully] })
    expect(bad({ name: 'G-9', cell: A, junction: 'J-9' })).toThrow(/G-9.*J-9/)
    expect(bad({ name: 'G-9', cell: 77, junction: 'J-1' })).toThrow('G-9')
  })
})
