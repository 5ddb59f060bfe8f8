/** Cells of 50 m: the surface stays small beside its network. */
const CELL_M = 50
/** Between two manholes of a street, m. */
const PIPE_M = 30
const ORIGIN = { x: 674_000, y: 6_827_000 } as const

/** Names of the two junctions of the network that are farthest from each other. */
export const farEnds = (links: number) => ({
  start: nameAt(0, links / ROWS - 1),
  end: nameAt(ROWS - 1, links / ROWS - 1),
})

const ROWS = 100
const nameAt = (row: number, column: number) => `R${row}-${column}`

/**
 * A town of a hundred parallel streets that fall to a collector at their western end: `links` pipes (a multiple of
 * 100, up to 10,000) and as many junctions, a gully on every other cell. Each fifth street has pipes that are too
 * small, so that it gives water back.
 */
export function largeSewer(links: number): Record<string, string> {
  const columns = links / ROWS
  if (!Number.isInteger(columns)) throw new RangeError(`${links} links are no multiple of ${ROWS}`)
  const nrows = Math.ceil((ROWS * PIPE_M) / CELL_M)
  const ncols = Math.ceil((columns * PIPE_M) / CELL_M)
  const place = (row: number, column: number) => ({
    x: ORIGIN.x + (column + 0.5) * PIPE_M,
    y: ORIGIN.y + nrows * CELL_M - (row + 0.5) * PIPE_M,
  })
  // Falls to the west along the streets and to the south along the collector.
  const rim = ({ x, y }: { x: number; y: number }) => 30 + 0.004 * (x - ORIGIN.x) + 0.002 * (y - ORIGIN.y)
  const junctions: string[] = []
  const conduits: string[] = []
  const sections: string[] = []
  const coordinates: string[] = []
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < columns; column++) {
      const name = nameAt(row, column)
      const at = place(row, column)
      junctions.push(`${name} ${(rim(at) - 2.5).toFixed(3)} 2.5 0 0 0`)
      coordinates.push(`${name} ${at.x} ${at.y}`)
      const to = column > 0 ? nameAt(row, column - 1) : row < ROWS - 1 ? nameAt(row + 1, 0) : 'EXUTOIRE'
      const pipe = `C${row}-${column}`
      conduits.push(`${pipe} ${name} ${to} ${PIPE_M} 0.013 0 0 0 0`)
      sections.push(`${pipe} CIRCULAR ${column === 0 ? 1.6 : row % 5 === 0 ? 0.15 : 0.4} 0 0 0 1`)
    }
  const mouth = place(ROWS, 0)
  coordinates.push(`EXUTOIRE ${mouth.x} ${mouth.y}`)
  const gullies: string[] = []
  const isGully = (row: number, col: number) => (row + col) % 2 === 0
  const grid = (value: (row: number, col: number) => number | string) =>
    `ncols ${ncols}\nnrows ${nrows}\nxllcorner ${ORIGIN.x}\nyllcorner ${ORIGIN.y}\ncellsize ${CELL_M}\nNODATA_value -9999\n${Array.from(
      { length: nrows },
      (_, row) => Array.from({ length: ncols }, (_, col) => value(row, col)).join(' '),
    ).join('\n')}\n`
  const middle = (row: number, col: number) => ({
    x: ORIGIN.x + (col + 0.5) * CELL_M,
    y: ORIGIN.y + (nrows - row - 0.5) * CELL_M,
  })
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++)
      if (isGully(row, col)) {
        const nearest = (cells: number, count: number) =>
          Math.min(count - 1, Math.floor(((cells + 0.5) * CELL_M) / PIPE_M))
        gullies.push(`G${row}-${col},${row},${col},${nameAt(nearest(row, ROWS), nearest(col, columns))}`)
      }
  return {
    'catchment.json': JSON.stringify({
      id: 'melun',
      display: 'Melun',
      crs: 'EPSG:2154',
      cellSize: CELL_M,
      ncols,
      nrows,
      xll: ORIGIN.x,
      yll: ORIGIN.y,
      permanentWaterCode: 6,
      caseStudies: [],
    }),
    'elevation.asc': grid((row, col) => rim(middle(row, col)).toFixed(3)),
    'luse.asc': grid((row, col) => (isGully(row, col) ? 5 : (row + col) % 3 === 0 ? 4 : 2)),
    'mask-place.asc': grid(() => 1),
    'gullies.csv': `gully,row,col,junction\n${gullies.join('\n')}\n`,
    'network.inp': `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
LINK_OFFSETS DEPTH
START_DATE 01/01/2026
START_TIME 00:00:00
END_DATE 01/01/2026
END_TIME 07:00:00
ROUTING_STEP 0:00:05

[JUNCTIONS]
${junctions.join('\n')}

[OUTFALLS]
EXUTOIRE ${(rim(mouth) - 3).toFixed(3)} FREE NO

[CONDUITS]
${conduits.join('\n')}

[XSECTIONS]
${sections.join('\n')}

[COORDINATES]
${coordinates.join('\n')}
`,
  }
}
