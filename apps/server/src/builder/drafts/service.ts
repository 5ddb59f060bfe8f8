import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BUILDER_FILES_MAX,
  type BuilderDraft,
  type BuilderDraftDetail,
  type BuilderResult,
  type BuilderSource,
  type DraftRecipe,
} from '@radx/contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Deps } from '../../http/app.ts'
import { holdQuota, keptBytes, oneAtATime, QuotaReached } from '../../http/quota.ts'
import { isCancelled, type JobRow, type JobUser, jobOutput } from '../../jobs/api.ts'
import { draftFileFolder, draftHome, type FileStore, openFileStore } from '../../store/file-store.ts'
import { sealFolder } from '../../store/folder-checksums.ts'
import {
  BuildNotDone,
  DraftBusy,
  DraftFileGone,
  DraftForbidden,
  DraftNotFound,
  TooManyDraftFiles,
} from './errors.ts'
import { BUILD, BUILD_OUTPUT, type BuildInput } from './job.ts'
import { checkDraftRecipe, checkWholeRecipe } from './recipe.ts'
import type { BuilderDraftTable } from './tables.ts'

type Db = Kysely<Database>
type DraftRow = Selectable<BuilderDraftTable>

/** Builds that a draft tells of. */
const BUILDS_TOLD = 10

/** Catchments on their way: their owner's and managers' alone. */
export class Drafts {
  private readonly deps: Deps
  private readonly files: FileStore

  constructor(deps: Deps) {
    this.deps = deps
    this.files = openFileStore(deps.config)
  }

  /** One's own, the last changed first. */
  async list(user: JobUser): Promise<BuilderDraft[]> {
    const { rows } = await sql<DraftRow & { files: number; bytes: number }>`
      select d.*, count(f.id)::int as files, coalesce(sum(f.bytes), 0)::float8 as bytes
      from builder_draft d left join builder_file f on f.draft_id = d.id
      where d.username = ${user.name} group by d.id order by d.updated_at desc, d.id`.execute(this.deps.db)
    return rows.map((row) => ({ ...about(row), files: row.files, bytes: row.bytes }))
  }

  /** @throws QuotaReached */
  create(user: JobUser, name: string): Promise<{ id: string }> {
    const { db, config } = this.deps
    return db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'drafts', user.name)
      const { drafts, bytes } = config.quotas
      holdQuota('bassin en construction', await kept(trx, user.name), { count: drafts, bytes })
      return trx
        .insertInto('builder_draft')
        .values({ username: user.name, name, recipe: JSON.stringify({ display: name }) as never })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
  }

  /** @throws DraftNotFound, DraftForbidden */
  async get(id: string, user: JobUser): Promise<BuilderDraftDetail> {
    const { db } = this.deps
    const row = await this.own(db, id, user)
    const files = await fileRows(db, id)
    const builds = await db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', BUILD)
      .where(sql`input ->> 'draftId'`, '=', id)
      .orderBy('created_at', 'desc')
      .limit(BUILDS_TOLD)
      .execute()
    return {
      ...about(row),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      recipe: row.recipe,
      files: files.map(({ name, bytes, created_at, holds }) => ({
        name,
        bytes,
        createdAt: created_at.toISOString(),
        holds,
      })),
      builds: builds.map(toBuild),
    }
  }

  /** Keeps what the steps wrote. @throws DraftNotFound, DraftForbidden, BuildRefused with all that is wrong in the recipe */
  async save(id: string, user: JobUser, change: { name?: string; recipe?: unknown }): Promise<void> {
    const { db } = this.deps
    await this.own(db, id, user)
    const recipe = change.recipe === undefined ? undefined : checkDraftRecipe(change.recipe)
    await db
      .updateTable('builder_draft')
      .set({
        updated_at: this.now(),
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(recipe === undefined ? {} : { recipe: JSON.stringify(recipe) as never }),
      })
      .where('id', '=', id)
      .execute()
  }

  /** Removes a draft with its files; what was built of it stays. @throws DraftNotFound, DraftForbidden, DraftBusy */
  async remove(id: string, user: JobUser): Promise<{ name: string }> {
    const { name } = await this.own(this.deps.db, id, user)
    await this.deps.db.transaction().execute(async (trx) => {
      // Submissions take the same row: none begins while it goes.
      await trx.selectFrom('builder_draft').select('id').where('id', '=', id).forUpdate().execute()
      await assertIdle(trx, id)
      await trx.deleteFrom('builder_draft').where('id', '=', id).execute()
    })
    await this.files.removeFolder(draftHome(id))
    return { name }
  }

  /**
   * Keeps a file that was looked into, in place of one of its name.
   * @param dir its folder, which is moved away
   * @throws DraftNotFound, DraftForbidden, QuotaReached, TooManyDraftFiles, DraftBusy
   */
  async addFile(id: string, user: JobUser, name: string, dir: string, holds: BuilderSource): Promise<void> {
    const { db, config } = this.deps
    const { username } = await this.own(db, id, user)
    const { size: bytes } = await stat(join(dir, name))
    const fileId = randomUUID()
    const folder = draftFileFolder(id, fileId)
    await sealFolder(dir)
    try {
      const replaced = await db.transaction().execute(async (trx) => {
        await oneAtATime(trx, 'drafts', username)
        const row = await trx
          .selectFrom('builder_draft')
          .select('id')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!row) throw new DraftNotFound()
        const files = await fileRows(trx, id)
        const old = files.find((file) => file.name.toLowerCase() === name.toLowerCase())
        if (old) await assertIdle(trx, id)
        if (!old && files.length >= BUILDER_FILES_MAX) throw new TooManyDraftFiles(BUILDER_FILES_MAX)
        const { bytes: held } = await kept(trx, username)
        if (held - (old?.bytes ?? 0) + bytes > config.quotas.bytes)
          throw new QuotaReached('Mo de sources', Math.round(config.quotas.bytes / 1e6))
        if (old) await trx.deleteFrom('builder_file').where('id', '=', old.id).execute()
        await trx
          .insertInto('builder_file')
          .values({ id: fileId, draft_id: id, name, bytes, holds: JSON.stringify(holds) as never })
          .execute()
        await trx.updateTable('builder_draft').set({ updated_at: this.now() }).where('id', '=', id).execute()
        await this.files.putFolder(dir, folder)
        return old
      })
      if (replaced) await this.files.removeFolder(draftFileFolder(id, replaced.id))
    } catch (error) {
      await this.files.removeFolder(folder).catch(() => undefined)
      throw error
    }
  }

  /** @throws DraftNotFound, DraftForbidden, DraftFileGone, DraftBusy */
  async removeFile(id: string, user: JobUser, name: string): Promise<void> {
    const { db } = this.deps
    await this.own(db, id, user)
    const file = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('builder_draft').select('id').where('id', '=', id).forUpdate().execute()
      await assertIdle(trx, id)
      return trx
        .deleteFrom('builder_file')
        .where('draft_id', '=', id)
        .where('name', '=', name)
        .returning('id')
        .executeTakeFirst()
    })
    if (!file) throw new DraftFileGone(name)
    await this.files.removeFolder(draftFileFolder(id, file.id))
  }

  /** What a preview or a build is made of. @throws DraftNotFound, DraftForbidden */
  async sources(
    id: string,
    user: JobUser,
  ): Promise<{ recipe: DraftRecipe; files: { id: string; name: string }[] }> {
    const { recipe } = await this.own(this.deps.db, id, user)
    const files = await fileRows(this.deps.db, id)
    return { recipe, files: files.map((file) => ({ id: file.id, name: file.name })) }
  }

  /** Submits a build of the draft as it is. @throws DraftNotFound, DraftForbidden, BuildRefused, what the queue throws */
  async build(id: string, user: JobUser): Promise<string> {
    const { name } = await this.own(this.deps.db, id, user)
    const { recipe, files } = await this.sources(id, user)
    // What lacks is told at once, not by a job that fails.
    checkWholeRecipe(recipe)
    const job = await this.deps.jobs.queue().submit(
      BUILD,
      async (trx) => {
        const row = await trx
          .selectFrom('builder_draft')
          .select('id')
          .where('id', '=', id)
          .forKeyShare()
          .executeTakeFirst()
        if (!row) throw new DraftNotFound()
        return { draftId: id, title: name, recipe, files } satisfies BuildInput as never
      },
      user,
    )
    return job.id
  }

  /** Path of a file of a finished build. @throws JobNotFound, JobForbidden, DraftNotFound, BuildNotDone, DraftFileGone */
  async built(
    jobId: string,
    user: JobUser,
    file: keyof typeof BUILD_OUTPUT,
  ): Promise<{ path: string; name: string }> {
    const row = await this.deps.jobs.queue().visible(jobId, user)
    if (row.kind !== BUILD) throw new DraftNotFound()
    if (row.status !== 'done') throw new BuildNotDone()
    const dir = await this.files.folder(jobOutput(jobId))
    const name = BUILD_OUTPUT[file]
    if (dir === null) throw new DraftFileGone(name)
    const { id } = row.result as BuilderResult
    return { path: join(dir, name), name: `${id}${name.slice(name.lastIndexOf('.'))}` }
  }

  /** Removes drafts that nobody changed since a moment, with their files. @returns how many went */
  async prune(before: Date): Promise<number> {
    const old = await this.deps.db
      .selectFrom('builder_draft')
      .select(['id', 'username'])
      .where('updated_at', '<', before)
      .execute()
    let gone = 0
    for (const { id, username } of old)
      try {
        await this.remove(id, { name: username, isManager: false })
        gone++
      } catch (error) {
        if (!(error instanceof DraftBusy || error instanceof DraftNotFound)) throw error
      }
    return gone
  }

  /** @throws DraftNotFound, DraftForbidden */
  async own(db: Db, id: string, user: JobUser): Promise<DraftRow> {
    const row = await db.selectFrom('builder_draft').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new DraftNotFound()
    if (row.username !== user.name && !user.isManager) throw new DraftForbidden()
    return row
  }

  private now(): Date {
    return new Date(this.deps.clock.now())
  }
}

const about = ({ id, name, created_at, updated_at }: DraftRow) => ({
  id,
  name,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
})

const fileRows = (db: Db, draftId: string) =>
  db.selectFrom('builder_file').selectAll().where('draft_id', '=', draftId).orderBy('name').execute()

/** Drafts of an account, and the bytes of all that counts with their files. */
async function kept(db: Db, username: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select (select count(*)::int from builder_draft where username = ${username}) as count,
      ${keptBytes(username)} as bytes`.execute(db)
  return rows[0]
}

/** @throws DraftBusy while a build reads the files */
async function assertIdle(db: Db, draftId: string): Promise<void> {
  const open = await db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', BUILD)
    .where(sql`input ->> 'draftId'`, '=', draftId)
    .where('status', 'in', ['pending', 'running'])
    .executeTakeFirst()
  if (open) throw new DraftBusy()
}

const toBuild = (row: JobRow): BuilderDraftDetail['builds'][number] => ({
  jobId: row.id,
  status: row.status,
  cancelled: isCancelled(row),
  error: row.error,
  createdAt: row.created_at.toISOString(),
  result: row.status === 'done' ? (row.result as BuilderResult) : null,
})
