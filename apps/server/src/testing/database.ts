import { createHash, randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { migrateToLatest } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { poolOptions } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'

export interface TestDatabase {
  db: Kysely<Database>
  pool: pg.Pool
  /** Address of this database, for code that opens it itself. */
  url: string
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

/**
 * A fresh database with the whole schema on the run's PostgreSQL (projects `db`, `browser`, `conformance`).
 * The schema is made once a run and copied.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return create((server, client) => ensureTemplate(server, client))
}

/** A database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(async () => 'template0')
}

async function create(
  templateOf: (server: string, client: pg.Client) => Promise<string>,
): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await withClient(server, async (client) =>
    client.query(`create database ${name} template ${await templateOf(server, client)}`),
  )
  const url = databaseOn(server, name)
  const { pool, db } = open(url)
  const drop = async () => {
    await db.destroy()
    await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
  return { db, pool, url, drop }
}

async function ensureTemplate(server: string, client: pg.Client): Promise<string> {
  const steps = Object.entries(migrations).map(([name, step]) => `${name}:${step.up}`)
  const name = `template_${createHash('sha256').update(steps.join()).digest('hex').slice(0, 16)}`
  // Test files run at once; one makes the template, the others wait.
  await client.query('select pg_advisory_lock(4100)')
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
    name,
  ])
  if (rowCount === 0) {
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name} template template0`)
    const { db } = open(databaseOn(server, name))
    await migrateToLatest(db)
    await db.destroy()
    await client.query(`alter database ${name} is_template true`)
  }
  await client.query('select pg_advisory_unlock(4100)')
  return name
}

function open(url: string): { pool: pg.Pool; db: Kysely<Database> } {
  const pool = new pg.Pool(poolOptions({ connectionString: url }, 8))
  pool.on('error', () => undefined)
  return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }) }
}

function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
