import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFileStore } from '../store/file-store.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import type { JobKind } from './kind.ts'
import { jobOutput } from './output.ts'
import { prune } from './retention.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const DAY_MS = 86_400_000
const base = {
  perUser: 1,
  timeoutSeconds: 1,
  memoryMb: 1,
  visibility: 'owner' as const,
  run: async () => null,
}

let database: TestDatabase
const dataDir = mkdtempSync(join(tmpdir(), 'radx-retention-'))
const kept = new Set<string>()
const kinds: JobKind[] = [
  { ...base, name: 'export', keep: 'exports' },
  { ...base, name: 'run', keep: 'runs', isKept: async (_db, id) => kept.has(id) },
  { ...base, name: 'other' },
]
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ended(kind: string, days: number, status: 'done' | 'error' | 'running' = 'done') {
  const id = randomUUID()
  await database.db
    .insertInto('job')
    .values({
      id,
      kind,
      username: 'anne',
      input: '{}',
      status,
      output_bytes: 3,
      finished_at: status === 'running' ? null : new Date(NOW - days * DAY_MS),
    })
    .execute()
  await mkdir(join(dataDir, jobOutput(id)), { recursive: true })
  await writeFile(join(dataDir, jobOutput(id), 'a.txt'), 'abc')
  return id
}

test('what is older than its retention goes with its files; what is kept, younger, running or of no retention stays', async () => {
  const files = openFileStore({ dataDir, objectStore: null })
  const old = [await ended('export', 31), await ended('run', 11, 'error')]
  const staying = [
    await ended('export', 29),
    await ended('run', 9),
    await ended('run', 11, 'running'),
    await ended('other', 900),
  ]
  const noted = await ended('run', 400)
  kept.add(noted)
  const options = { db: database.db, files, kinds, nowMs: NOW, retention: { exports: 30, runs: 10 } }
  const listed = async () => (await database.db.selectFrom('job').select('id').execute()).map(({ id }) => id)

  const told = await prune({ ...options, dryRun: true })
  expect(told.map(({ id }) => id).sort()).toEqual([...old].sort())
  expect(await listed()).toHaveLength(7)
  expect(await prune({ ...options, retention: { exports: 0, runs: 0 }, dryRun: false })).toEqual([])

  expect(await prune({ ...options, dryRun: false })).toEqual(told)
  expect((await listed()).sort()).toEqual([...staying, noted].sort())
  const left = (await readdir(dataDir, { recursive: true })).filter((name) => name.endsWith('a.txt'))
  expect(left.filter((name) => old.some((id) => name.includes(id)))).toEqual([])
  expect(left).toHaveLength(5)
  expect(await prune({ ...options, dryRun: false })).toEqual([])
})
