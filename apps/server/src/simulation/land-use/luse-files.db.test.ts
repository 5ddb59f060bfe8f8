import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateToLatest } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { createEmptyDatabase, type TestDatabase } from '../../testing/database.ts'
import { landUseOf } from './luse-files.ts'

const OWN = randomUUID()
const PAINTED = randomUUID()
const EDIT = [
  { i: 5, j: 2, value: 1 },
  { i: 0, j: 7, value: 1 },
]
const TABLE = [{ id: 'grass', code: 3 }]
let database: TestDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

test('runs that were stored with their edit give it to their file, and say the same as before', async () => {
  const { '0081_land_use_edit': step, ...before } = migrations
  expect(step).toBeDefined()
  await migrateToLatest(database.db, before)
  const { pool, db } = database
  await pool.query(`insert into catchment (id, hash, summary) values ('melun', 'h', '{}')`)
  for (const id of [OWN, PAINTED])
    await pool.query(
      `insert into luse_file (id, catchment_id, username, description, configs, codes_zstd, size_bytes, hash, image_jpeg)
        values ($1, 'melun', 'u', '', $2, '', 0, 'h', '')`,
      [id, JSON.stringify(TABLE)],
    )
  const run = async (
    luseId: string,
    luseIdSource: string,
    luseUpdates: object[],
    luseConfigs: object[] = TABLE,
  ) => {
    const id = randomUUID()
    const input = { title: 'x', luseId, luseIdSource, luseUpdates, luseConfigs }
    await pool.query(`insert into job (id, kind, username, input) values ($1, 'multihydro', 'u', $2)`, [
      id,
      JSON.stringify(input),
    ])
    return id
  }
  const asItIs = await run(OWN, OWN, [])
  const painted = await run(PAINTED, OWN, EDIT)
  const again = await run(PAINTED, PAINTED, [])
  const odd = await run(OWN, OWN, [], [{ id: 'other', code: 9 }])
  await migrateToLatest(db)
  const inputs = await db.selectFrom('job').select(['id', 'input']).execute()
  const stored = new Map(inputs.map(({ id, input }) => [id, input as Record<string, never>]))
  for (const id of [asItIs, painted, again]) {
    expect(Object.keys(stored.get(id)!).sort()).toEqual(['luseId', 'luseIdSource', 'title'])
    expect(await landUseOf(db, stored.get(id) as never)).toEqual({
      luseUpdates: id === painted ? EDIT : [],
      luseConfigs: TABLE,
    })
  }
  // What its file cannot say stays with the run.
  expect(stored.get(odd)).toMatchObject({ luseUpdates: [], luseConfigs: [{ id: 'other', code: 9 }] })
})
