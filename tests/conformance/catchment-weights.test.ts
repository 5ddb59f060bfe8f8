import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AreaGeometry, catchmentWeights } from '@radx/rainfall/catchment-weights'
import { rowCellAreasM2 } from '@radx/rainfall/grid'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

interface Area {
  properties: { code: string; nom: string }
  geometry: AreaGeometry
}

const dpsri = {
  bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
  steps: 400,
}
const areasOf = (file: string): Area[] =>
  JSON.parse(readFileSync(join(REFERENCE_DATA, 'admin', file), 'utf8')).features

describe.skipIf(!hasReferenceData())('weights of real boundaries', () => {
  test('Paris and Melun have the areas that INSEE gives, within 1 %', () => {
    const paris = areasOf('departements-ile-de-france.geojson').find((a) => a.properties.code === '75')!
    const melun = areasOf('communes-ile-de-france.geojson').find((a) => a.properties.nom === 'Melun')!
    for (const [area, km2] of [
      [paris, 105.4],
      [melun, 8.04],
    ] as const) {
      const weights = catchmentWeights(dpsri, area.geometry)
      expect(Math.abs(weights.insideM2 / 1e6 / km2 - 1)).toBeLessThan(0.01)
      expect(weights.insideM2 / weights.totalM2).toBeCloseTo(1, 8)
    }
  })

  test('cells in the middle of a departement are shared out whole among its communes', () => {
    const cellAreas = rowCellAreasM2(dpsri)
    const whole = catchmentWeights(
      dpsri,
      areasOf('departements-ile-de-france.geojson').find((a) => a.properties.code === '94')!.geometry,
    )
    const shared = new Map<number, number>()
    for (const commune of areasOf('communes-ile-de-france.geojson')) {
      if (!commune.properties.code.startsWith('94')) continue
      const { cells, areasM2 } = catchmentWeights(dpsri, commune.geometry)
      cells.forEach((cell, k) => {
        shared.set(cell, (shared.get(cell) ?? 0) + areasM2[k])
      })
    }
    let inner = 0
    let exact = 0
    whole.cells.forEach((cell, k) => {
      const area = cellAreas[Math.floor(cell / 400)]
      if (whole.areasM2[k] < area * (1 - 1e-9)) return
      inner++
      if (Math.abs((shared.get(cell) ?? 0) / area - 1) < 1e-6) exact++
    })
    expect(inner).toBeGreaterThan(3000)
    expect(exact / inner).toBeGreaterThan(0.99)
  })
})
