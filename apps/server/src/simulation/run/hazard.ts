import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RADX_VERSION } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { writeGeoTiff } from '@radx/formats/geotiff'
import type { HazardMaps } from '@radx/hydrology/surface/hazard'
import { DURATION_DEPTHS_M } from '@radx/hydrology/surface/hazard'
import { csvText } from '@radx/locale/csv'
import { OUTPUT } from './outputs.ts'

/** Simulated time between two looks at the water, s. */
export const HAZARD_LOOK_S = 30

const DURATIONS = [OUTPUT.duration5, OUTPUT.duration20, OUTPUT.duration50]
const DEFRA = ['faible', 'pour certains', 'pour la plupart', 'pour tous']
const PPRI = ['faible', 'moyen', 'fort', 'très fort']

/** Writes maps of hazard as GeoTIFF, and the flooded area by class as CSV. NaN outside the model and where it is dry. */
export function writeHazard(dir: string, model: EsriGrid, crs: string, maps: HazardMaps): void {
  const { ncols, nrows, xll, yll, cellSize } = model
  const write = (name: string, description: string, unit: string, values: ArrayLike<number>) =>
    writeFileSync(
      join(dir, name),
      writeGeoTiff({
        ncols,
        nrows,
        values: within(model, values),
        left: xll,
        top: yll + nrows * cellSize,
        cellWidth: cellSize,
        cellHeight: cellSize,
        crs: { kind: 'projected', epsg: Number(crs.replace('EPSG:', '')) },
        nodata: -9999,
        metadata: { UNIT: unit, SOFTWARE: `RadX ${RADX_VERSION}` },
        band: { description, unit },
      }),
    )
  write(OUTPUT.arrival, 'arrival of water deeper than 5 cm', 's', maps.arrivalS)
  for (const [k, name] of DURATIONS.entries())
    write(name, `time with water deeper than ${100 * DURATION_DEPTHS_M[k]} cm`, 's', maps.durationsS[k])
  write(OUTPUT.defra, 'hazard class, Defra FD2320', '1', maps.defra)
  write(OUTPUT.ppri, 'hazard class, French PPRI', '1', maps.ppri)
  writeFileSync(join(dir, OUTPUT.hazard), areaCsv(maps, cellSize))
}

/** NaN outside the model and where nothing was. */
function within({ data }: EsriGrid, values: ArrayLike<number>): Float32Array {
  const out = new Float32Array(values.length)
  for (let k = 0; k < out.length; k++)
    out[k] = Number.isNaN(data[k]) || values[k] === 0 ? Number.NaN : values[k]
  return out
}

function areaCsv({ defra, ppri, durationsS }: HazardMaps, cellSize: number): string {
  const classes = (grid: string, names: string[], values: Uint8Array) => {
    const counts = new Int32Array(names.length + 1)
    for (let k = 0; k < values.length; k++) counts[values[k]]++
    return names.map((name, k) => [grid, k + 1, name, counts[k + 1] * cellSize ** 2])
  }
  const wet = (values: Float32Array) => {
    let count = 0
    for (let k = 0; k < values.length; k++) if (values[k] > 0) count++
    return count * cellSize ** 2
  }
  return csvText([
    ['grid', 'class', 'name', 'area_m2'],
    ...DURATION_DEPTHS_M.map((depth, k) => ['depth', k + 1, `plus de ${100 * depth} cm`, wet(durationsS[k])]),
    ...classes('defra', DEFRA, defra),
    ...classes('ppri', PPRI, ppri),
  ])
}
