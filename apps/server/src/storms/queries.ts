import type { MontanaTable } from '@radx/contracts'
import type { MontanaLaw } from '@radx/rainfall/storms/montana'
import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

interface MontanaTableTable {
  id: Generated<string>
  username: string
  name: string
  note: string
  /** In mm and minutes, whatever they were entered in. */
  laws: MontanaLaw[]
  created_at: Generated<Date>
}
declare module '../db/schema.ts' {
  interface Database {
    montana_table: MontanaTableTable
  }
}

type Db = Kysely<Database>

const toTable = ({ id, name, note, laws }: Selectable<MontanaTableTable>): MontanaTable => ({
  id,
  name,
  note,
  owner: 'user',
  laws,
})

export async function tablesOf(db: Db, username: string): Promise<MontanaTable[]> {
  const rows = await db
    .selectFrom('montana_table')
    .selectAll()
    .where('username', '=', username)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toTable)
}

export async function countTables(db: Db, username: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from montana_table where username = ${username}`.execute(db)
  return rows[0].n
}

export async function insertTable(
  db: Db,
  { username, name, note, laws }: { username: string; name: string; note: string; laws: MontanaLaw[] },
): Promise<MontanaTable> {
  const { rows } = await sql<Selectable<MontanaTableTable>>`
    insert into montana_table (username, name, note, laws)
    values (${username}, ${name}, ${note}, ${JSON.stringify(laws)}::jsonb)
    returning *`.execute(db)
  return toTable(rows[0])
}

export async function deleteTable(db: Db, username: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('montana_table')
    .where('id', '=', id)
    .where('username', '=', username)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
