import type { Shapefile } from '@radx/contracts'
import type { Generated, Insertable, Kysely, Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'

export interface ShapefileTable {
  name: string
  long_name: string
  description: string
  color: string
  /** GeoJSON FeatureCollection as text. */
  content: string
  /** How many features `content` has. */
  features: number
  bounds: Shapefile['bounds']
  created_at: Generated<Date>
}
interface AccountShapefileTable {
  account_id: string
  shapefile_name: string
}
declare module '../db/schema.ts' {
  interface Database {
    shapefile: ShapefileTable
    account_shapefile: AccountShapefileTable
  }
}

type Db = Kysely<Database>

/** A layer of an account; undefined for one that belongs to others or that nobody has. */
export function shapefileOf(
  db: Db,
  accountId: string,
  name: string,
): Promise<Selectable<ShapefileTable> | undefined> {
  return db
    .selectFrom('shapefile')
    .innerJoin('account_shapefile', 'account_shapefile.shapefile_name', 'shapefile.name')
    .selectAll('shapefile')
    .where('account_shapefile.account_id', '=', accountId)
    .where('shapefile.name', '=', name)
    .executeTakeFirst()
}

/** @returns false when the name is taken */
export async function insertShapefile(db: Db, row: Insertable<ShapefileTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('shapefile')
    .values({ ...row, bounds: JSON.stringify(row.bounds) as never })
    .onConflict((c) => c.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export interface ShapefileSummary {
  name: string
  longName: string
  color: string
  features: number
  accounts: string[]
}

export async function listShapefiles(db: Db): Promise<ShapefileSummary[]> {
  const [layers, owners] = await Promise.all([
    db
      .selectFrom('shapefile')
      .select(['name', 'long_name as longName', 'color', 'features'])
      .orderBy('name')
      .execute(),
    db
      .selectFrom('account_shapefile')
      .innerJoin('account', 'account.id', 'account_shapefile.account_id')
      .select(['shapefile_name', 'account.name'])
      .orderBy('account.name_key')
      .execute(),
  ])
  return layers.map((layer) => ({
    ...layer,
    accounts: owners.filter((o) => o.shapefile_name === layer.name).map((o) => o.name),
  }))
}

/** @returns false when there is none of that name */
export async function deleteShapefile(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('shapefile').where('name', '=', name).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function giveShapefile(db: Db, accountId: string, name: string): Promise<void> {
  await db
    .insertInto('account_shapefile')
    .values({ account_id: accountId, shapefile_name: name })
    .onConflict((c) => c.doNothing())
    .execute()
}
