import { describe, expect, test } from 'vitest'
import { even, flat, relativeError } from '../testing/flat.ts'
import { bothKernels, simd } from '../testing/kernels.ts'
import { smallTown } from '../testing/town.ts'
import { createSurface } from './surface.ts'

const law = { crestM: 0, freeWeir: 1, submergedWeir: 0.5, orifice: 0.2, fullM: 0.3 }

describe.each(bothKernels())('drains, %s kernel', (_, choice) => {
  test('what is taken and given between the parts of a step never leaves less than nothing', () => {
    const { grid, params } = smallTown()
    const surface = createSurface(grid, { ...params, soil: undefined }, choice)
    const cells = Array.from(grid.elevationM.keys()).filter((cell) => grid.elevationM[cell] > 0)
    // Of each cell all that may be taken, but only while the head at its outlet is low.
    const drains = cells.map((cell, k) => ({
      ...law,
      cell,
      outlet: k % 60,
      freeWeir: 1e9,
      submergedWeir: 0,
      orifice: 0,
    }))
    const drained = surface.setDrains(drains, 60)
    let parts = 0
    let steps = 0
    let lowest = 0
    const look = () => {
      for (const cell of cells) lowest = Math.min(lowest, surface.depthM(cell))
    }
    surface.setRain(150 / 3.6e6)
    for (let t = 0; t < 1800; steps++) {
      if (t > 900) surface.setRain(0)
      const dt = surface.stableStepS()
      surface.step(dt, undefined, (partS) => {
        parts++
        look()
        drained.headsM.fill(1000)
        drained.headsM[parts % 60] = -1
        surface.addVolume(cells[1000], 2 * partS)
      })
      t += dt
    }
    expect(parts).toBeGreaterThan(steps * 1.3)
    look()
    expect(lowest).toBeGreaterThanOrEqual(0)
    expect(drained.totalM3).toBeGreaterThan(100)
    expect(drained.volumesM3.reduce((sum, volume) => sum + volume)).toBeCloseTo(drained.totalM3, 9)
    expect(Math.abs(relativeError(surface))).toBeLessThan(1e-11)
  })

  test('drains of one cell see the same depth, and together never take more than it holds', () => {
    const surface = createSurface(flat(1, 1), even(flat(1, 1)), choice)
    const drained = surface.setDrains(
      [0, 1, 2].map((outlet) => ({ ...law, cell: 0, outlet })),
      3,
    )
    // Below the crest; between it and the water; above the water.
    drained.headsM.set([-1, 0.1, 0.5])
    surface.setDepth(0, 0.25)
    surface.step(1)
    expect(drained.volumesM3[0]).toBeCloseTo(0.25 ** 1.5, 12)
    expect(drained.volumesM3[1]).toBeCloseTo(0.5 * 0.25 * Math.sqrt(2 * 9.81 * 0.15), 12)
    expect(drained.volumesM3[2]).toBe(0)
    surface.setDepth(0, 0.36)
    surface.step(1)
    expect(drained.volumesM3[1]).toBeCloseTo(
      0.5 * 0.25 * Math.sqrt(2 * 9.81 * 0.15) + 0.2 * Math.sqrt(2 * 9.81 * 0.26),
      12,
    )
    drained.volumesM3.fill(0)
    surface.setDepth(0, 0.25)
    surface.step(10_000)
    expect(drained.volumesM3[0]).toBeCloseTo(25, 12)
    expect(drained.volumesM3[1]).toBe(0)
    expect(surface.depthM(0)).toBe(0)
    expect(surface.volumes().addedM3).toBeCloseTo(0, 12)
  })

  test('a film stays, and permanent water gives nothing', () => {
    const grid = flat(1, 2)
    const surface = createSurface(grid, { ...even(grid), permanentWater: Uint8Array.of(0, 1) }, choice)
    const drained = surface.setDrains(
      [0, 1].map((cell) => ({ cell, outlet: cell, ...law })),
      2,
    )
    drained.headsM.fill(-1)
    surface.addVolume(0, 9e-4)
    surface.addVolume(1, 5)
    surface.step(1)
    expect([...drained.volumesM3]).toEqual([0, 0])
    expect(surface.depthM(0)).toBeCloseTo(9e-6, 15)
  })
})

test('more drains and outlets than cells have room; beyond that they are refused, with what to do', () => {
  const surface = createSurface(flat(1, 2), even(flat(1, 2)), simd())
  const drains = (count: number) =>
    Array.from({ length: count }, (_, outlet) => ({ ...law, cell: outlet % 2, outlet }))
  const drained = surface.setDrains(drains(10_000), 10_000)
  drained.headsM.fill(-1)
  surface.addVolume(0, 1)
  surface.addVolume(1, 1)
  surface.step(1)
  const taken = drained.volumesM3.reduce((sum, volume) => sum + volume)
  expect(taken).toBeGreaterThan(0)
  expect(taken + surface.volumes().surfaceM3).toBeCloseTo(2, 12)
  expect(() => surface.setDrains(drains(70_000), 1)).toThrow(
    expect.objectContaining({ code: 'surface.drains', message: expect.stringContaining('gullies.csv') }),
  )
})
