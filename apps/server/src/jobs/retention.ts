import type { Kysely } from 'kysely'
import { keepDoing } from '../background.ts'
import type { JobRetention } from '../config/limits.ts'
import type { Database } from '../db/schema.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import { type FileStore, openFileStore } from '../store/file-store.ts'
import type { JobKind } from './kind.ts'
import { removeJob } from './remove.ts'

const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 6 * 3_600_000

export interface Pruned {
  id: string
  kind: string
  username: string
  bytes: number
}

export interface PruneOptions {
  db: Kysely<Database>
  files: FileStore
  kinds: readonly JobKind[]
  retention: JobRetention
  nowMs: number
  /** Only tells what would go. */
  dryRun: boolean
  signal?: AbortSignal
}

/** Removes jobs of each kind that are older than its retention, with their files. @returns what went, or would */
export async function prune({
  db,
  files,
  kinds,
  retention,
  nowMs,
  dryRun,
  signal,
}: PruneOptions): Promise<Pruned[]> {
  const gone: Pruned[] = []
  for (const kind of kinds) {
    const days = kind.keep === undefined ? 0 : retention[kind.keep]
    if (days === 0) continue
    const before = new Date(nowMs - days * DAY_MS)
    const rows = await db
      .selectFrom('job')
      .select(['id', 'username', 'output_bytes'])
      .where('kind', '=', kind.name)
      .where('status', 'in', ['done', 'error'])
      .where('finished_at', '<', before)
      .orderBy('finished_at')
      .execute()
    for (const { id, username, output_bytes } of rows) {
      if (signal?.aborted) return gone
      if (await kind.isKept?.(db, id)) continue
      if (!dryRun && !(await removeJob(db, files, kind, id))) continue
      gone.push({ id, kind: kind.name, username, bytes: output_bytes })
    }
  }
  return gone
}

/** Applies the retention of the settings a few times a day, in one process. */
export const registerRetention =
  (kinds: readonly JobKind[]): RegisterFeature =>
  (app, deps) => {
    keepInOneProcess(app, deps, 'retention', (signal) => keepPruning(deps, kinds, signal))
  }

async function keepPruning(deps: Deps, kinds: readonly JobKind[], signal: AbortSignal): Promise<void> {
  const { db, config, clock, log, database } = deps
  await database.whenReady()
  const files = openFileStore(config)
  const round = async () => {
    const { retention } = config
    const gone = await prune({ db, files, kinds, retention, nowMs: clock.now(), dryRun: false, signal })
    const bytes = gone.reduce((sum, job) => sum + job.bytes, 0)
    if (gone.length > 0) log.info({ jobs: gone.length, bytes }, 'Résultats anciens retirés')
  }
  await keepDoing(round, {
    signal,
    pauseMs: PRUNE_EVERY_MS,
    log,
    failed: "Les résultats anciens n'ont pas pu être retirés",
    excuse: () => database.unavailable(),
  })
}
