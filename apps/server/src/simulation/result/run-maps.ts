import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RADX_VERSION, RUN_MAPS, type RunMap, TOWN_OUTSIDE } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { checkFolder } from '../../store/folder-checksums.ts'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'
import { readField } from './fields.ts'

/** Where each map of a run is kept, and what other tools are told of it. */
export const MAP_FILES: Record<RunMap, { file: string; description: string }> = {
  hauteur: { file: OUTPUT.maxDepth, description: 'maximum water depth' },
  vitesse: { file: OUTPUT.maxSpeed, description: 'maximum velocity' },
  debit: { file: OUTPUT.maxDepthSpeed, description: 'maximum depth times velocity' },
  infiltration: { file: OUTPUT.infiltration, description: 'infiltrated depth' },
  arrivee: { file: OUTPUT.arrival, description: 'arrival of water deeper than 5 cm' },
  'duree-5': { file: OUTPUT.duration5, description: 'time with water deeper than 5 cm' },
  'duree-20': { file: OUTPUT.duration20, description: 'time with water deeper than 20 cm' },
  'duree-50': { file: OUTPUT.duration50, description: 'time with water deeper than 50 cm' },
  defra: { file: OUTPUT.defra, description: 'hazard class, Defra FD2320' },
  ppri: { file: OUTPUT.ppri, description: 'hazard class, French PPRI' },
}

/** Values of a map in its unit, `[row * ncols + col]`, row 0 north, NaN where nothing is told. @throws OutputMissing when missing or damaged */
export async function readRunMap(dir: string, map: RunMap): Promise<ArrayLike<number>> {
  const { file } = MAP_FILES[map]
  if (!file.endsWith('.tif')) return (await readField(dir, file)).data
  try {
    await checkFolder(dir, [file])
    const bytes = await readFile(join(dir, file))
    const { fromArrayBuffer } = await import('geotiff')
    const tiff = await fromArrayBuffer(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
    )
    const [band] = (await (await tiff.getImage()).readRasters()) as unknown as Float32Array[]
    return band.map((value) => (value === -9999 ? Number.NaN : value))
  } catch {
    throw new OutputMissing(file)
  }
}

/** A map as `RUN_MAPS` tells it. */
export function mapCodes(values: ArrayLike<number>, map: RunMap): Uint16Array {
  const { perUnit } = RUN_MAPS[map]
  const codes = new Uint16Array(values.length)
  // Not `from`: on millions of cells it takes twenty times as long.
  for (let k = 0; k < codes.length; k++)
    codes[k] = Number.isNaN(values[k])
      ? TOWN_OUTSIDE
      : Math.min(TOWN_OUTSIDE - 1, Math.max(0, Math.round(values[k] * perUnit)))
  return codes
}

/** What a map is, for other tools; without a unit it is `1`. */
interface MapAbout {
  description: string
  unit: string
}

/** A map of a run as GeoTIFF in the catchment's own system. */
export function gridTiff(
  values: ArrayLike<number>,
  { description, unit }: MapAbout,
  { ncols, nrows, xll, yll, cellSize }: EsriGrid,
  crs: string,
  about: readonly [string, string][],
): Uint8Array {
  return writeGeoTiff({
    ncols,
    nrows,
    values: Float32Array.from(values),
    left: xll,
    top: yll + nrows * cellSize,
    cellWidth: cellSize,
    cellHeight: cellSize,
    crs: { kind: 'projected', epsg: Number(crs.replace('EPSG:', '')) },
    nodata: -9999,
    metadata: { ...Object.fromEntries(about), UNIT: unit || '1', SOFTWARE: `RadX ${RADX_VERSION}` },
    band: { description, unit: unit || '1' },
  })
}
