import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RADX_VERSION, RUN_MAPS, type RunMap, TOWN_OUTSIDE } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'

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

/** Values of a map in its unit, `[row * ncols + col]`, row 0 north, NaN where nothing is told. @throws OutputMissing */
export async function readRunMap(dir: string, map: RunMap): Promise<ArrayLike<number>> {
  const { file } = MAP_FILES[map]
  try {
    const bytes = await readFile(join(dir, file))
    if (!file.endsWith('.tif')) return readEsriAscii(bytes.toString('utf8'), file).data
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
  return Uint16Array.from(values, (value) =>
    Number.isNaN(value) ? TOWN_OUTSIDE : Math.min(TOWN_OUTSIDE - 1, Math.max(0, Math.round(value * perUnit))),
  )
}

/** A map of a run as GeoTIFF in the catchment's own system. */
export function mapTiff(
  values: ArrayLike<number>,
  map: RunMap,
  { ncols, nrows, xll, yll, cellSize }: EsriGrid,
  crs: string,
  about: readonly [string, string][],
): Uint8Array {
  const { unit } = RUN_MAPS[map]
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
    band: { description: MAP_FILES[map].description, unit: unit || '1' },
  })
}
