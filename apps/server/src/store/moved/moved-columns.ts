import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../catalog.ts'
import type { Span } from '../frame-index.ts'
import type { GridCell } from '../tile-file.ts'
import type { CellColumns } from '../tile-reader.ts'
import { codesOfCells, tileOfCell } from './moved-tiles.ts'

/**
 * Codes of cells with the rain as it moved put in where the database has any.
 * @param still codes in the frames of the span
 * @throws StoreCorruptError
 */
export async function withMoved(
  db: Kysely<Database>,
  product: StoredProduct,
  cells: readonly GridCell[],
  { startMs, endMs }: Span,
  still: CellColumns,
): Promise<CellColumns> {
  const tiles = Map.groupBy(cells.keys(), (k) => tileOfCell(cells[k].row, cells[k].col, product.steps))
  // Subscripts count from 1; the first tile starts at 0, which is what a missing element stands for.
  const parts = [...tiles.keys()].map((tile, k) => {
    const [start, end] = [sql`coalesce(ends[${sql.lit(tile)}], 0)`, sql`ends[${sql.lit(tile + 1)}]`]
    return sql`substring(tiles from ${start} + 1 for ${end} - ${start}) as ${sql.id(`part${k}`)}`
  })
  const { rows } = await sql<{ ms: number; [part: `part${number}`]: Buffer }>`
    select (extract(epoch from time) * 1000)::bigint as ms, ${sql.join(parts)} from radar_moved
    where product_id = ${product.id} and time >= ${new Date(startMs)} and time < ${new Date(endMs)}`.execute(
    db,
  )
  const at = new Map(still.timesMs.map((ms, i) => [ms, i]))
  const codes = still.codes.map((column) => column.slice())
  for (const row of rows) {
    const i = at.get(row.ms)
    if (i === undefined) continue
    for (const [k, own] of [...tiles.values()].entries()) {
      const found = codesOfCells(
        row[`part${k}`],
        own.map((cell) => cells[cell]),
        product.steps,
      )
      for (const [j, cell] of own.entries()) codes[cell][i] = found[j]
    }
  }
  return { timesMs: still.timesMs, codes }
}
