import { DEFAULT_USER, type SimulationInput } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** Whether a run stays however old it is: somebody wrote notes on it, or it is a reference of the demonstration. */
export async function isKeptRun(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('job')
    .leftJoin('simulation_note', 'simulation_note.job_id', 'job.id')
    .select(['job.username', 'simulation_note.comment'])
    .where('job.id', '=', id)
    .executeTakeFirst()
  return row !== undefined && (row.username === DEFAULT_USER || (row.comment ?? '').trim() !== '')
}

/** Runs that were made on a land-use file, or whose own was painted from it. */
export async function runsOn(db: Kysely<Database>, luseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from job
    where kind = 'multihydro' and (input ->> 'luseId' = ${luseId} or input ->> 'luseIdSource' = ${luseId})`.execute(
    db,
  )
  return Number(rows[0].count)
}

/** Deletes the land use that a deleted run was painted on, unless another run or the catchment still has it. */
export async function removeOwnLandUse(
  trx: Kysely<Database>,
  { luseId, luseIdSource }: Pick<SimulationInput, 'luseId' | 'luseIdSource'>,
): Promise<void> {
  if (luseId === luseIdSource || (await runsOn(trx, luseId)) > 0) return
  await trx.deleteFrom('luse_file').where('id', '=', luseId).where('is_reference', '=', false).execute()
}
