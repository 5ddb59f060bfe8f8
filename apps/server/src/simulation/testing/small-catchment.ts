import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NCOLS = 12
const NROWS = 8

function grid(value: (row: number, col: number) => number): string {
  const rows = Array.from({ length: NROWS }, (_, row) =>
    Array.from({ length: NCOLS }, (_, col) => value(row, col)).join(' '),
  )
  return `ncols ${NCOLS}\nnrows ${NROWS}\nxllcorner 1000\nyllcorner 2000\ncellsize 10\nNODATA_value -9999\n${rows.join('\n')}\n`
}

const isGully = (row: number, col: number) => row === 4 && (col === 3 || col === 8)

/** A street along row 4 that falls to the east, two gullies, three pipes, gardens beside, a pond in the corner. */
export const SMALL_CATCHMENT: Record<string, string> = {
  'catchment.json': JSON.stringify({
    id: 'petit',
    display: 'Petit bassin',
    crs: 'EPSG:2154',
    cellSize: 10,
    ncols: NCOLS,
    nrows: NROWS,
    xll: 1000,
    yll: 2000,
    permanentWaterCode: 6,
    caseStudies: [{ id: 'place', display: 'Place', mask: 'mask-place.asc' }],
  }),
  'elevation.asc': grid((row, col) =>
    row === 0 && col === 0 ? -9999 : Math.round((30 - 0.1 * col + 0.05 * Math.abs(row - 4)) * 1000) / 1000,
  ),
  'luse.asc': grid((row, col) => {
    if (row === 0 && col === 0) return -9999
    if (isGully(row, col)) return 5
    if (row === 7 && col > 9) return 6
    return row === 4 ? 2 : row === 2 && col % 4 > 1 ? 4 : 3
  }),
  'mask-place.asc': grid((row, col) => (row > 4 && col < 4 ? 1 : 0)),
  'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-1\nG-2,4,8,J-2\n',
  'network.inp': `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
LINK_OFFSETS DEPTH
START_DATE 01/01/2026
START_TIME 00:00:00
END_DATE 01/01/2026
END_TIME 02:00:00
ROUTING_STEP 0:00:05

[JUNCTIONS]
;;Name Elevation MaxDepth InitDepth SurDepth Aponded
J-1 28.2 1.5 0 0 0
J-2 27.7 1.5 0 0 0

[OUTFALLS]
OUT-1 27.2 FREE NO

[CONDUITS]
C-1 J-1 J-2 50 0.013 0 0 0 0
C-2 J-2 OUT-1 40 0.013 0 0 0 0

[XSECTIONS]
C-1 CIRCULAR 0.3 0 0 0 1
C-2 CIRCULAR 0.3 0 0 0 1

[COORDINATES]
J-1 1035 2035
J-2 1085 2035
OUT-1 1115 2035
`,
}

/** Files that make its houses green roofs and put two gardens and a swale beside the street, which falls onto them. */
export function smallMeasures(): Record<'luse.asc' | 'measures.json', string> {
  const lines = SMALL_CATCHMENT['luse.asc'].split('\n')
  const first = lines.findIndex((line) => /^-?\d/.test(line))
  const paint = (code: number, row: number, ...cols: number[]) => {
    const cells = lines[first + row].split(' ')
    for (const col of cols) cells[col] = String(code)
    lines[first + row] = cells.join(' ')
  }
  paint(103, 3, 2, 3, 8)
  paint(103, 2, 9)
  paint(201, 4, 10, 11)
  return {
    'luse.asc': lines.join('\n'),
    'measures.json': JSON.stringify({
      4: { kind: 'green-roof', evaporationMmDay: 4 },
      103: { kind: 'rain-garden', storageMm: 300, drainMmH: 60 },
      201: { kind: 'swale', surfaceMm: 200 },
    }),
  }
}

/** Its files (but `catchment.json`) with the lower-left corner elsewhere. */
export function smallCatchmentAt(xll: number, yll: number): Record<string, string> {
  const moved = Object.entries(SMALL_CATCHMENT).map(([name, text]) => [
    name,
    text
      .replace('xllcorner 1000', `xllcorner ${xll}`)
      .replace('yllcorner 2000', `yllcorner ${yll}`)
      .replace(
        /^(\S+) (1\d{3}) (2\d{3})$/gm,
        (_, node, x, y) => `${node} ${x - 1000 + xll} ${y - 2000 + yll}`,
      ),
  ])
  const { 'catchment.json': _, ...files } = Object.fromEntries(moved) as Record<string, string>
  return files
}

/** Writes the package, with files replaced (or left out when null). */
export function writeSmallCatchment(dir: string, changes: Record<string, string | null> = {}): string {
  mkdirSync(dir, { recursive: true })
  for (const [name, text] of Object.entries({ ...SMALL_CATCHMENT, ...changes }))
    if (text !== null) writeFileSync(join(dir, name), text)
  return dir
}
