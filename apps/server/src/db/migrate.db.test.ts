import { afterAll, expect, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrateToLatest } from './migrate.ts'
import { type Migration, migrations } from './migrations/index.ts'

const made: TestDatabase[] = []
const keep = <T extends TestDatabase>(database: T) => {
  made.push(database)
  return database
}
afterAll(() => Promise.all(made.map((database) => database.drop())))

test('migrations run once, and a second run changes nothing', async () => {
  const { db } = keep(await createEmptyDatabase())
  expect(await migrateToLatest(db)).toEqual(Object.keys(migrations).sort())
  expect(await migrateToLatest(db)).toEqual([])
})

test('processes that migrate at once wait for each other', async () => {
  const database = keep(await createEmptyDatabase())
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrateToLatest(database.db)))
  expect(runs.flat().sort()).toEqual(Object.keys(migrations).sort())
})

test('a step with a lower number that arrives later still runs', async () => {
  const { db } = keep(await createEmptyDatabase())
  const step = (name: string): Migration => ({
    up: (k) => k.schema.createTable(name).addColumn('id', 'bigint').execute(),
  })
  await migrateToLatest(db, { '0040_b': step('b') })
  expect(await migrateToLatest(db, { '0040_b': step('b'), '0020_a': step('a') })).toEqual(['0020_a'])
})

test('a failing step leaves the schema as it was and is named', async () => {
  const { db, pool } = keep(await createEmptyDatabase())
  const broken: Record<string, Migration> = {
    '0001_a': { up: (k) => k.schema.createTable('a').addColumn('id', 'bigint').execute() },
    '0002_b': { up: () => Promise.reject(new Error('boom')) },
  }
  await expect(migrateToLatest(db, broken)).rejects.toMatchObject({
    code: 'database.migration',
    message: expect.stringContaining('0002_b'),
  })
  expect((await pool.query("select to_regclass('a') as a")).rows[0].a).toBeNull()
})

test('a database of a newer program is refused', async () => {
  const { db } = keep(await createEmptyDatabase())
  await migrateToLatest(db, { ...migrations, '9999_future': { up: async () => undefined } })
  await expect(migrateToLatest(db)).rejects.toMatchObject({
    message: expect.stringContaining('plus récente'),
  })
})

test('bigint reads as number, date as text, timestamptz as an instant', async () => {
  const { pool } = keep(await createTestDatabase())
  const { rows } = await pool.query(
    "select 9007199254740991::bigint as b, '2026-03-29'::date as d, '2026-03-29T01:00:00+02:00'::timestamptz as t",
  )
  expect(rows[0]).toEqual({ b: 9007199254740991, d: '2026-03-29', t: new Date('2026-03-28T23:00:00Z') })
})
