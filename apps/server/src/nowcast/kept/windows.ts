import type { Bounds } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { FrameStore } from '../../store/frame-store.ts'
import { type KeptForecast, partsOf } from './kept-forecasts.ts'
import { partsOfLead, readWindow } from './parts.ts'

/** Part of a product's grid, cells of its row `row` and column `col` first. */
export interface GridWindow {
  row: number
  col: number
  nrows: number
  ncols: number
}

/** A window whose members are kept, and who asked for it. */
export interface OwnedWindow extends GridWindow {
  owner: string
}

/** Rain of each member over a window. */
export interface WindowMembers {
  window: GridWindow
  leadsMin: number[]
  members: number
  /** Rate codes, means of the time that a lead stands for, `[member][lead][row * ncols + col]`. */
  codes: Uint16Array
}

/** A place has at most so many cells: of 20 members and 24 leads they are 10 MB before they are packed. */
const MOST_CELLS = 10_000

/** Has every member be kept over a place from the next forecast on. */
export async function keepWindow(db: Kysely<Database>, owner: string, { ul, lr }: Bounds): Promise<void> {
  const box = { north: ul.lat, west: ul.lng, south: lr.lat, east: lr.lng }
  await db
    .insertInto('nowcast_window')
    .values({ owner, ...box })
    .onConflict((c) => c.column('owner').doUpdateSet(box))
    .execute()
}

export async function dropWindow(db: Kysely<Database>, owner: string): Promise<void> {
  await db.deleteFrom('nowcast_window').where('owner', '=', owner).execute()
}

/** Cells of a product over a place; null where they do not meet. */
export function windowOver(
  { bounds, steps }: Pick<StoredProduct, 'bounds' | 'steps'>,
  place: Bounds,
): GridWindow | null {
  const { ul, lr } = bounds
  const rowOf = (lat: number) => ((ul.lat - lat) / (ul.lat - lr.lat)) * steps
  const colOf = (lng: number) => ((lng - ul.lng) / (lr.lng - ul.lng)) * steps
  const row = Math.max(0, Math.floor(rowOf(place.ul.lat)))
  const col = Math.max(0, Math.floor(colOf(place.ul.lng)))
  const nrows = Math.min(steps, Math.floor(rowOf(place.lr.lat)) + 1) - row
  const ncols = Math.min(steps, Math.floor(colOf(place.lr.lng)) + 1) - col
  return nrows > 0 && ncols > 0 ? { row, col, nrows, ncols } : null
}

/** Windows of a product that were asked for, by their owners; one that is too large is left out. */
export async function windowsOf(db: Kysely<Database>, product: StoredProduct): Promise<OwnedWindow[]> {
  const rows = await db.selectFrom('nowcast_window').selectAll().orderBy('owner').execute()
  return rows.flatMap(({ owner, north, west, south, east }) => {
    const window = windowOver(product, { ul: { lat: north, lng: west }, lr: { lat: south, lng: east } })
    return window && window.nrows * window.ncols <= MOST_CELLS ? [{ owner, ...window }] : []
  })
}

/** @returns null where none were kept for that owner @throws StoreCorruptError */
export async function windowMembers(
  frames: FrameStore,
  product: Pick<StoredProduct, 'shortName'>,
  row: KeptForecast,
  owner: string,
): Promise<WindowMembers | null> {
  const at = row.windows?.findIndex((window) => window.owner === owner) ?? -1
  if (at < 0) return null
  const { owner: _, ...window } = row.windows![at]
  // Fewer leads than the pictures where upstream ends; members have those of the pictures.
  const leads = row.leads.length
  const [part] = await partsOf(frames, product, row, 'members', [leads * partsOfLead + at])
  const cells = window.nrows * window.ncols
  return {
    window,
    leadsMin: row.leads,
    members: row.members,
    codes: readWindow(part, row.members * leads * cells),
  }
}
