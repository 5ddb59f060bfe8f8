import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  NETWORK_VERSIONS_MAX,
  type Network,
  type NetworkDetail,
  type NetworkRun,
  type NetworkUploaded,
  type networkRunBodySchema,
} from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import type { Place } from '../http/page.ts'
import { holdQuota, oneAtATime, QuotaReached } from '../http/quota.ts'
import { isOutsideDates } from '../http/sessions.ts'
import { type JobRow, type JobUser, type RadarPeriod, removeJob } from '../jobs/api.ts'
import { type FileStore, networkFolder, networkHome, openFileStore } from '../store/file-store.ts'
import type { Taken } from './answers.ts'
import { NetworkBusy, NetworkNameTaken, NetworkNotFound, RunNotDone } from './errors.ts'
import type { VersionFiles } from './files.ts'
import { networkJob } from './job.ts'
import { toDegrees } from './model/place.ts'
import type { RunFiles } from './placed.ts'
import {
  countRuns,
  keptNetworks,
  listNetworks,
  NETWORK,
  ownNetwork,
  runRows,
  toRun,
  toVersion,
  versionFiles,
  versionRows,
} from './queries.ts'

type Db = Kysely<Database>
export type RunBody = z.output<typeof networkRunBodySchema>

/** Networks of accounts: their owner's and managers' alone. */
export class Networks {
  private readonly deps: Deps
  private readonly files: FileStore

  constructor(deps: Deps) {
    this.deps = deps
    this.files = openFileStore(deps.config)
  }

  /** @param everybody also those of others, which managers alone are given */
  list(user: JobUser, everybody: boolean, place: Place | null, limit: number) {
    return listNetworks(this.deps.db, everybody && user.isManager ? null : user.name, place, limit)
  }

  /** @throws NetworkNotFound, NetworkForbidden */
  async get(id: string, user: JobUser): Promise<NetworkDetail> {
    const { db } = this.deps
    const row = await ownNetwork(db, id, user)
    const versions = (await versionRows(db, id)).map(toVersion)
    const network: Network = {
      id,
      name: row.name,
      owner: row.username,
      crs: row.crs,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      runs: await countRuns(db, id),
      newest: versions[0],
    }
    return { ...network, versions }
  }

  /**
   * Keeps what was taken from an upload: a version of the named network; without one, of the user's network of that name,
   * which is made where there is none. The same files as the newest version are that version.
   * @param dir the files; they are moved away where they are new
   * @throws QuotaReached, NetworkNotFound, NetworkForbidden
   */
  async keep(
    user: JobUser,
    name: string,
    dir: string,
    taken: Taken,
    into: string | null,
  ): Promise<NetworkUploaded> {
    const { db, config } = this.deps
    let folder: string | null = null
    try {
      return await db.transaction().execute(async (trx) => {
        await oneAtATime(trx, 'networks', user.name)
        const found =
          into === null ? await this.named(trx, user.name, name) : await ownNetwork(trx, into, user)
        const versions = found ? await versionRows(trx, found.id) : []
        const sha256 = Buffer.from(taken.sha256, 'hex')
        const { warnings } = taken
        if (found && versions[0]?.sha256.equals(sha256))
          return { id: found.id, name: found.name, version: versions[0].version, isNew: false, warnings }
        const kept = await keptNetworks(trx, found?.username ?? user.name)
        const { networks, bytes } = config.quotas
        holdQuota('réseau', found ? { ...kept, count: 0 } : kept, { count: networks, bytes })
        if (versions.length >= NETWORK_VERSIONS_MAX) throw new QuotaReached('version', NETWORK_VERSIONS_MAX)
        const { id } =
          found ??
          (await trx
            .insertInto('network')
            .values({ username: user.name, name, crs: taken.crs })
            .returning('id')
            .executeTakeFirstOrThrow())
        const version = (versions[0]?.version ?? 0) + 1
        const { file, files, bytes: size, nodes, links, subcatchments } = taken
        await trx
          .insertInto('network_version')
          .values({
            network_id: id,
            version,
            file,
            files: JSON.stringify(files) as never,
            bytes: size,
            sha256,
            nodes,
            links,
            subcatchments,
            warnings: warnings.length,
          })
          .execute()
        await trx
          .updateTable('network')
          .set({ updated_at: new Date(this.deps.clock.now()) })
          .where('id', '=', id)
          .execute()
        folder = networkFolder(id, version)
        await this.files.putFolder(dir, folder)
        return { id, name: found?.name ?? name, version, isNew: true, warnings }
      })
    } catch (error) {
      if (folder !== null) await this.files.removeFolder(folder).catch(() => undefined)
      throw error
    }
  }

  /** Folder in which an upload is taken apart. */
  stagingDir(): string {
    return join(this.deps.config.dataDir, 'uploads', `network-${randomUUID()}`)
  }

  /** @throws NetworkNotFound, NetworkForbidden, NetworkNameTaken */
  async rename(id: string, name: string, user: JobUser): Promise<void> {
    await this.deps.db.transaction().execute(async (trx) => {
      const { username } = await ownNetwork(trx, id, user)
      await oneAtATime(trx, 'networks', username)
      const other = await this.named(trx, username, name)
      if (other && other.id !== id) throw new NetworkNameTaken(name)
      await trx.updateTable('network').set({ name }).where('id', '=', id).execute()
    })
  }

  /** Says which system positions are in; null for none. @throws NetworkNotFound, NetworkForbidden, NetworkCrsUnknown */
  async place(id: string, crs: string | null, user: JobUser): Promise<void> {
    const { db } = this.deps
    await ownNetwork(db, id, user)
    if (crs !== null) toDegrees(crs)
    await db.updateTable('network').set({ crs }).where('id', '=', id).execute()
  }

  /** Removes a network with its versions, runs and files. @throws NetworkNotFound, NetworkForbidden, NetworkBusy */
  async remove(id: string, user: JobUser): Promise<{ name: string }> {
    const { db } = this.deps
    const { name } = await ownNetwork(db, id, user)
    const jobs = await db.transaction().execute(async (trx) => {
      // Submissions take the same row: none begins while it goes.
      await trx.selectFrom('network').select('id').where('id', '=', id).forUpdate().execute()
      const rows = await runRows(trx, id, null, 1_000_000)
      if (rows.some(({ status }) => status === 'pending' || status === 'running')) throw new NetworkBusy()
      await trx.deleteFrom('network').where('id', '=', id).execute()
      return rows
    })
    for (const job of jobs) await removeJob(db, this.files, networkJob as never, job.id)
    await this.files.removeFolder(networkHome(id))
    return { name }
  }

  /** Checks a run and submits it. @throws NetworkNotFound, NetworkForbidden, what the queue throws */
  async run(
    id: string,
    body: RunBody,
    user: JobUser,
    key: { key: string; hash: string } | null,
  ): Promise<string> {
    const { name, crs } = await ownNetwork(this.deps.db, id, user)
    const { version, rain, implicit, hours } = body
    const of = await this.version(id, version, user)
    const job = await this.deps.jobs.queue().submit(
      NETWORK,
      async (trx) => {
        const row = await trx
          .selectFrom('network')
          .select('id')
          .where('id', '=', id)
          .forKeyShare()
          .executeTakeFirst()
        if (!row) throw new NetworkNotFound()
        return { ...of, title: name, crs, rain, implicit, ...(hours === undefined ? {} : { hours }) }
      },
      user,
      key,
    )
    return job.id
  }

  async runs(id: string, user: JobUser, place: Place | null, limit: number) {
    await ownNetwork(this.deps.db, id, user)
    const rows = await runRows(this.deps.db, id, place, limit)
    return rows.map((row) => ({ id: row.id, micros: Number(row.micros), item: this.shown(row, user) }))
  }

  /** Files of a version. @throws NetworkNotFound, NetworkForbidden */
  async version(id: string, version: number, user: JobUser): Promise<VersionFiles> {
    await ownNetwork(this.deps.db, id, user)
    return versionFiles(this.deps.db, id, version)
  }

  /** A run that the user may look at. @throws JobNotFound, JobForbidden, NetworkNotFound */
  async runOf(jobId: string, user: JobUser): Promise<{ row: JobRow; run: NetworkRun }> {
    const row = await this.deps.jobs.queue().visible(jobId, user)
    if (row.kind !== NETWORK) throw new NetworkNotFound()
    return { row, run: this.shown(row, user) }
  }

  /** A finished run and the files that it was made of. @throws RunNotDone, what `runOf` throws */
  async finished(
    jobId: string,
    user: JobUser,
  ): Promise<{ files: RunFiles; run: NetworkRun; period: RadarPeriod | null }> {
    const { run, row } = await this.runOf(jobId, user)
    if (run.status !== 'done') throw new RunNotDone()
    const of = await this.version(run.networkId, run.version, user)
    return { files: { jobId, of }, run, period: this.deps.jobs.queue().radarPeriod(row) }
  }

  /** A run, without what it tells of radar rain outside the user's dates. */
  private shown(row: JobRow, { dates = null }: JobUser): NetworkRun {
    const run = toRun(row)
    const period = this.deps.jobs.queue().radarPeriod(row)
    return period && isOutsideDates(dates, period.start, period.end) ? { ...run, result: null } : run
  }

  private named(db: Db, username: string, name: string) {
    return db
      .selectFrom('network')
      .selectAll()
      .where('username', '=', username)
      .where('name', '=', name)
      .orderBy('created_at')
      .executeTakeFirst()
  }
}
