import { type EsriGrid, readEsriAscii, writeEsriAscii } from '../esri-ascii.ts'
import { type InpResult, readInp } from '../inp/read.ts'
import type { FuzzTarget } from './fuzz-targets.ts'

const INP = `[TITLE]
Un petit réseau
[OPTIONS]
FLOW_UNITS LPS
END_TIME 02:30
ROUTING_STEP 0:00:05
[JUNCTIONS]
J1 10.0 2 0 0 0
J2 9.8 2.1
[OUTFALLS]
O1 9.5 FREE NO
[STORAGE]
B1 9 4 0.5 FUNCTIONAL 100 0.5 20
[CONDUITS]
C1 J1 J2 40 0.013 0 0.1 0 0
C2 J2 O1 60 0.013 0 0
[PUMPS]
P1 B1 J1 PC ON 1 0.5
[WEIRS]
W1 J1 J2 TRANSVERSE 1.2 1.8 NO
[XSECTIONS]
C1 CIRCULAR 0.4 0 0 0 1
C2 IRREGULAR T
W1 RECT_OPEN 0.5 1 0 0
[TRANSECTS]
NC 0.03 0.03 0.02
X1 T 4 1 3 0 0 0 0 0 0
GR 2 0 0 1 0 3 2 4
[CURVES]
PC PUMP4 0 0
PC 2 50
[CONTROLS]
RULE R1
IF NODE B1 DEPTH > 1
AND SIMULATION TIME > 0:10
THEN PUMP P1 STATUS = ON
ELSE PUMP P1 STATUS = OFF
[TIMESERIES]
T1 0:00 0 0:30 10
T1 1.0 0
[PATTERNS]
H1 HOURLY 1 1 1 1 1 1 2 2 2 2 2 2
H1 1 1 1 1 1 1 1 1 1 1 1 1
[INFLOWS]
J1 FLOW T1 FLOW 1 2 3 H1
[DWF]
J2 FLOW 1.5 "H1"
[COORDINATES]
J1 100 200
[VERTICES]
C1 110 210
`

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`unsound answer: ${what}`)
}

/** Whether NaN is anywhere in an answer. */
function hasNaN(value: unknown): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  if (ArrayBuffer.isView(value)) return (value as Float64Array).some(Number.isNaN)
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasNaN)
  return false
}

/** SWMM networks of a catchment package. */
export function inpTarget(): FuzzTarget {
  return {
    name: 'inp',
    format: 'inp',
    real: null,
    seeds: async () => [Buffer.from(INP)],
    read: (bytes) => readInp(bytes),
    check: ({ network }: InpResult) => {
      must(network.nodes.length > 0, 'no node')
      const inside = (k: number) => Number.isInteger(k) && k >= 0 && k < network.nodes.length
      must(
        network.links.every(({ from, to }) => inside(from) && inside(to)),
        'a link without an end',
      )
      must(!hasNaN(network), 'a value that is no number')
    },
  }
}

/** Terrain and land use of a catchment package. */
export function esriAsciiTarget(): FuzzTarget {
  const grid: EsriGrid = {
    ncols: 12,
    nrows: 10,
    xll: 650_000,
    yll: 6_830_000,
    cellSize: 10,
    noData: -9999,
    data: Float64Array.from({ length: 120 }, (_, i) => (i % 7 === 0 ? Number.NaN : 40 + i / 8)),
  }
  return {
    name: 'esriascii',
    format: 'esriascii',
    real: null,
    seeds: async () => [Buffer.from(writeEsriAscii(grid, 2))],
    read: (bytes) => readEsriAscii(Buffer.from(bytes).toString('utf8'), 'terrain.asc'),
    check: ({ ncols, nrows, cellSize, xll, yll, data }: EsriGrid) => {
      must(data.length === ncols * nrows && data.length > 0, 'size of the grid')
      must([cellSize, xll, yll].every(Number.isFinite) && cellSize > 0, 'place of the grid')
      must(!data.some((v) => Math.abs(v) === Number.POSITIVE_INFINITY), 'a cell at no height')
    },
  }
}
