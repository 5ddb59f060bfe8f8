import { RadxError } from '@radx/contracts'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { App, Deps } from './app.ts'
import { isManager, type Session } from './sessions.ts'

/**
 * Who sees a catchment, in one place: those of the site everybody, those of an account its owner, managers and whom it is
 * shared with. What somebody may not see is answered as if it were not there. Runs and land uses follow their
 * catchment; somebody's own runs stay readable when a catchment is no longer shared
 * (docs/decisions/0395-catchments-of-accounts.md).
 */

export class CatchmentNotFound extends RadxError {
  constructor(id: string) {
    super('catchment.notFound', 404, `Le bassin versant « ${id} » n’existe pas.`, { details: { id } })
  }
}
export class JobNotFound extends RadxError {
  constructor(id: string) {
    super('job.notFound', 404, 'Ce calcul n’existe pas ou plus.', { details: { id } })
  }
}
export class LuseFileNotFound extends RadxError {
  constructor(id: string) {
    super('luse.notFound', 404, 'Cette carte d’occupation des sols n’existe pas ou plus.', {
      details: { id },
    })
  }
}

/** Who looks. */
export interface Reader {
  name: string
  isManager: boolean
}

/** Who looks, as columns or values of a statement. */
interface ReaderSql {
  name: RawBuilder<unknown>
  isManager: RawBuilder<unknown>
}

export const readerOf = (session: Session): Reader => ({ name: session.name, isManager: isManager(session) })

/** Condition of a statement: whether somebody sees the catchment of an id. One that has no row hides nothing. */
export const seenBy = ({ name, isManager }: ReaderSql, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${isManager} or not exists (
    select from catchment hidden where hidden.id = ${id} and hidden.username is not null
      and hidden.username <> ${name} and hidden.sharing <> 'all'
      and not (hidden.sharing = 'named' and exists (
        select from catchment_share named where named.catchment_id = hidden.id and named.username = ${name}))))`

/** Somebody as values of a statement. */
export const valuesOf = ({ name, isManager }: Reader): ReaderSql => ({
  name: sql`${name}::text`,
  isManager: sql`${isManager}::boolean`,
})

/** Whether somebody sees a catchment, and whether it is still there to be run. */
async function lookAt(db: Kysely<Database>, reader: Reader, id: string) {
  const { rows } = await sql<{ sees: boolean; deleted: boolean }>`
    select ${seenBy(valuesOf(reader), sql`${id}::text`)} as sees,
      exists (select from catchment where id = ${id} and deleted_at is not null) as deleted`.execute(db)
  return rows[0]
}

export const seesCatchment = async (db: Kysely<Database>, reader: Reader, id: string): Promise<boolean> =>
  (await lookAt(db, reader, id)).sees

/** Holds what is begun on a catchment: a run, a rule. @throws CatchmentNotFound */
export async function holdCatchment(db: Kysely<Database>, reader: Reader, id: string): Promise<void> {
  const { sees, deleted } = await lookAt(db, reader, id)
  if (!sees || deleted) throw new CatchmentNotFound(id)
}

/** What a name in an address or a query leads to. */
export type CatchmentPart = 'catchment' | 'run' | 'landUse'

/** Holds every row of the rights table whose address or query names a catchment, a run or a land use. */
export function installCatchmentGuard(app: App, deps: Pick<Deps, 'db'>): void {
  app.addHook('preHandler', async (request) => {
    const parts = request.routeOptions.config.right?.catchment
    if (!parts || !request.session) return
    const given = { ...(request.query as object), ...(request.params as object) } as Record<string, unknown>
    const named = Object.entries(parts).flatMap(([name, part]): [CatchmentPart, string][] =>
      typeof given[name] === 'string' && given[name] !== '' ? [[part, given[name]]] : [],
    )
    await holdParts(deps.db, readerOf(request.session), named)
  })
}

/** @throws JobNotFound, LuseFileNotFound, CatchmentNotFound */
async function holdParts(
  db: Kysely<Database>,
  reader: Reader,
  named: readonly [CatchmentPart, string][],
): Promise<void> {
  const of = (part: CatchmentPart) => named.filter(([name]) => name === part).map(([, id]) => id)
  /** Catchments to which a run or land use of the reader's own leads. */
  const reached = new Set<string>()
  for (const id of of('run')) reached.add(await catchmentOfRun(db, reader, id))
  for (const id of of('landUse')) reached.add(await catchmentOfLandUse(db, reader, id))
  for (const id of of('catchment'))
    if (!reached.has(id) && !(await seesCatchment(db, reader, id))) throw new CatchmentNotFound(id)
}

async function catchmentOfRun(db: Kysely<Database>, reader: Reader, id: string): Promise<string> {
  const catchment = sql`input ->> 'catchmentId'`
  const { rows } = await sql<{ catchment: string | null; sees: boolean }>`
    select ${catchment} as catchment, (username = ${reader.name} or ${seenBy(valuesOf(reader), catchment)}) as sees
    from job where id = ${id}::uuid`.execute(db)
  if (rows[0]?.sees === false) throw new JobNotFound(id)
  return rows[0]?.catchment ?? ''
}

async function catchmentOfLandUse(db: Kysely<Database>, reader: Reader, id: string): Promise<string> {
  const { rows } = await sql<{ catchment: string; sees: boolean }>`
    select catchment_id as catchment, (${seenBy(valuesOf(reader), sql`catchment_id`)} or exists (
      select from job where kind = 'multihydro' and job.username = ${reader.name}
        and ${id} in (input ->> 'luseId', input ->> 'luseIdSource'))) as sees
    from luse_file where id = ${id}::uuid`.execute(db)
  if (rows[0]?.sees === false) throw new LuseFileNotFound(id)
  return rows[0]?.catchment ?? ''
}
