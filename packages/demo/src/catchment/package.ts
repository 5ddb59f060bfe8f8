/**
 * The demonstration catchment as a package folder: the same files that a real catchment has.
 * Everything in it is computed; nothing is measured, and `catchment.json` says so.
 */
import proj4 from 'proj4'
import { CODE, makeLandUse, siteMask } from './land-use.ts'
import { makeSewer, type SewerPlan } from './sewer.ts'
import { makeStreets } from './streets.ts'
import { CELL, fillPits, makeValley, NCOLS, NODATA, NROWS, PLACES } from './terrain.ts'

const ORIGIN = { x: 672900, y: 6825200 }
const LAMBERT_93 =
  '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m +no_defs'
const STATEMENT =
  'Bassin SYNTHÉTIQUE : relief, rues, bâtiments, avaloirs et réseau sont calculés pour la démonstration dans la forme générale de Melun. Aucune donnée réelle ; ne pas utiliser pour une étude.'

function asciiGrid(values: ArrayLike<number>, decimals: number): string {
  const lines = [
    `ncols ${NCOLS}`,
    `nrows ${NROWS}`,
    `xllcorner ${ORIGIN.x}`,
    `yllcorner ${ORIGIN.y}`,
    `cellsize ${CELL}`,
    `NODATA_value ${NODATA}`,
  ]
  for (let row = 0; row < NROWS; row++) {
    const cells: string[] = []
    for (let col = 0; col < NCOLS; col++) {
      const value = values[row * NCOLS + col]
      cells.push(value === NODATA ? String(NODATA) : value.toFixed(decimals))
    }
    lines.push(cells.join(' '))
  }
  return `${lines.join('\n')}\n`
}

/** The longest outline of the active cells, corners only, as [x, y] in local metres, counter-clockwise. */
function outline(active: Uint8Array): [number, number][] {
  const at = (row: number, col: number) =>
    row >= 0 && col >= 0 && row < NROWS && col < NCOLS && active[row * NCOLS + col] === 1
  // Directed edges with the inside on the left, from corner to corner.
  const next = new Map<number, number[]>()
  const corner = (x: number, y: number) => y * (NCOLS + 1) + x
  const add = (from: number, to: number) => next.set(from, [...(next.get(from) ?? []), to])
  for (let row = 0; row < NROWS; row++)
    for (let col = 0; col < NCOLS; col++) {
      if (!at(row, col)) continue
      const south = NROWS - row - 1
      if (!at(row + 1, col)) add(corner(col, south), corner(col + 1, south))
      if (!at(row, col + 1)) add(corner(col + 1, south), corner(col + 1, south + 1))
      if (!at(row - 1, col)) add(corner(col + 1, south + 1), corner(col, south + 1))
      if (!at(row, col - 1)) add(corner(col, south + 1), corner(col, south))
    }
  let best: number[] = []
  while (next.size > 0) {
    const start = next.keys().next().value as number
    const loop: number[] = []
    let here = start
    do {
      loop.push(here)
      const ways = next.get(here) as number[]
      const to = ways.pop() as number
      if (ways.length === 0) next.delete(here)
      here = to
    } while (here !== start)
    if (loop.length > best.length) best = loop
  }
  const points = best.map((k): [number, number] => [
    (k % (NCOLS + 1)) * CELL,
    Math.floor(k / (NCOLS + 1)) * CELL,
  ])
  return points.filter((p, i) => {
    const a = points[(i + points.length - 1) % points.length]
    const b = points[(i + 1) % points.length]
    return (p[0] - a[0]) * (b[1] - p[1]) !== (p[1] - a[1]) * (b[0] - p[0])
  })
}

function networkFile(plan: SewerPlan): string {
  const xy = (p: { x: number; y: number }) => `${(ORIGIN.x + p.x).toFixed(2)} ${(ORIGIN.y + p.y).toFixed(2)}`
  return `${[
    '[TITLE]',
    'Demonstration sewer of RadX: SYNTHETIC, not a real network.',
    '',
    '[OPTIONS]',
    'FLOW_UNITS             CMS',
    'FLOW_ROUTING           DYNWAVE',
    'LINK_OFFSETS           DEPTH',
    'ALLOW_PONDING          NO',
    'START_DATE             01/01/2026',
    'START_TIME             00:00:00',
    'END_DATE               01/01/2026',
    'END_TIME               07:00:00',
    'REPORT_STEP            00:05:00',
    'ROUTING_STEP           0:00:01',
    '',
    '[JUNCTIONS]',
    ';;Name Elevation MaxDepth InitDepth SurDepth Aponded',
    ...plan.junctions.map(
      (j) => `${j.name} ${j.invertM.toFixed(3)} ${(j.groundM - j.invertM).toFixed(3)} 0 0 0`,
    ),
    '',
    '[OUTFALLS]',
    ';;Name Elevation Type Gated',
    ...plan.outfalls.map((o) => `${o.name} ${o.invertM.toFixed(3)} FREE NO`),
    '',
    '[CONDUITS]',
    ';;Name FromNode ToNode Length Roughness InOffset OutOffset InitFlow MaxFlow',
    ...plan.conduits.map((c) => `${c.name} ${c.from} ${c.to} ${c.lengthM.toFixed(2)} 0.013 0 0 0 0`),
    '',
    '[XSECTIONS]',
    ';;Link Shape Geom1 Geom2 Geom3 Geom4 Barrels',
    ...plan.conduits.map((c) => `${c.name} CIRCULAR ${c.diameterM} 0 0 0 1`),
    '',
    '[COORDINATES]',
    ';;Node X Y',
    ...[...plan.junctions, ...plan.outfalls].map((n) => `${n.name} ${xy(n.at)}`),
  ].join('\n')}\n`
}

function gulliesFile(plan: SewerPlan): string {
  const lines = plan.gullies.map((g) => {
    const row = Math.floor(g.cell / NCOLS)
    const col = g.cell % NCOLS
    const x = ORIGIN.x + (col + 0.5) * CELL
    const y = ORIGIN.y + (NROWS - row - 0.5) * CELL
    return `${g.name},${row},${col},${g.junction},${x.toFixed(1)},${y.toFixed(1)},${g.distanceM.toFixed(1)}`
  })
  return `${['gully,row,col,junction,x,y,distance_m', ...lines].join('\n')}\n`
}

/** File name to content of the demonstration catchment; the same text on every call. */
export function demoCatchment(): Map<string, string> {
  const valley = makeValley()
  const elevation = valley.ground.slice()
  fillPits(valley.active, valley.water, elevation)
  const streets = makeStreets()
  const codes = makeLandUse(valley, streets)
  for (let i = 0; i < codes.length; i++) {
    const cut = codes[i] === CODE.road ? -0.1 : codes[i] === CODE.house ? 0.3 : 0
    elevation[i] = Math.round((valley.ground[i] + cut) * 1000) / 1000
  }
  fillPits(valley.active, valley.water, elevation)
  for (let i = 0; i < codes.length; i++) {
    if (!valley.active[i]) {
      codes[i] = NODATA
      elevation[i] = NODATA
    }
  }
  const plan = makeSewer(streets, elevation, codes)
  const toLngLat = (x: number, y: number): [number, number] => {
    const [lng, lat] = proj4(LAMBERT_93, 'WGS84', [ORIGIN.x + x, ORIGIN.y + y])
    return [Number(lng.toFixed(6)), Number(lat.toFixed(6))]
  }
  const ring = outline(valley.active).map(([x, y]) => toLngLat(x, y))
  const right = NCOLS * CELL
  const top = NROWS * CELL
  const catchment = {
    id: 'melun',
    display: 'Melun',
    crs: 'EPSG:2154',
    cellSize: CELL,
    ncols: NCOLS,
    nrows: NROWS,
    xll: ORIGIN.x,
    yll: ORIGIN.y,
    noData: NODATA,
    corners: { sw: toLngLat(0, 0), se: toLngLat(right, 0), ne: toLngLat(right, top), nw: toLngLat(0, top) },
    activeCells: valley.active.reduce((sum, a) => sum + a, 0),
    boundary: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    permanentWaterCode: CODE.water,
    caseStudies: [
      { id: 'eogn', display: 'EOGN', mask: 'mask-eogn.asc' },
      { id: 'oxygene', display: 'Oxygène', mask: 'mask-oxygene.asc' },
    ],
    synthetic: true,
    attribution: 'Bassin synthétique de démonstration, RadX',
    statement: STATEMENT,
  }
  return new Map([
    ['catchment.json', `${JSON.stringify(catchment)}\n`],
    ['elevation.asc', asciiGrid(elevation, 3)],
    ['luse.asc', asciiGrid(codes, 0)],
    ['network.inp', networkFile(plan)],
    ['gullies.csv', gulliesFile(plan)],
    ['mask-eogn.asc', asciiGrid(siteMask(PLACES.eogn, valley.active), 0)],
    ['mask-oxygene.asc', asciiGrid(siteMask(PLACES.oxygene, valley.active), 0)],
  ])
}
