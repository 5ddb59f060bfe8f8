import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'

/** Side of the square of cells of a kilometre, round a radar. */
export const SIDE = 20
const HALF_M = (SIDE * 1000) / 2
export const GEOMETRY = {
  proj4: '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000 +x_0=0 +y_0=0',
  left: -HALF_M,
  right: HALF_M,
  bottom: -HALF_M,
  top: HALF_M,
  nrows: SIDE,
  ncols: SIDE,
}

/** Writes a frame of 20 x 20 cells. @param rate mm/h of each cell */
export async function writeFrame(
  path: string,
  timeMs: number,
  rate: (cell: number) => number,
  how: Record<string, string | number> = {},
): Promise<string> {
  const bytes = await writeOdimComposite({
    geometry: GEOMETRY,
    datetime: new Date(timeMs).toISOString(),
    source: 'ORG:test',
    product: 'SURF',
    rateMmH: Float32Array.from({ length: SIDE ** 2 }, (_, cell) => rate(cell)),
    how,
  })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  return path
}

/** Centre of a cell in the plane of the frames. */
export const placeOf = (cell: number) => ({
  x: -HALF_M + 500 + 1000 * (cell % SIDE),
  y: HALF_M - 500 - 1000 * Math.floor(cell / SIDE),
})
