import type { HomeMessage } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

interface ArticleTable {
  key: string
  /** Cleaned HTML. */
  main: string
  is_published: boolean
  updated_at: Date
  /** Name of the account that saved last. */
  updated_by: string
}
declare module '../db/schema.ts' {
  interface Database {
    article: ArticleTable
  }
}

const HOME_MESSAGE = 'home-message'

export async function readHomeMessage(db: Kysely<Database>): Promise<HomeMessage | null> {
  const row = await db
    .selectFrom('article')
    .select(['main', 'is_published as isPublished'])
    .where('key', '=', HOME_MESSAGE)
    .executeTakeFirst()
  return row ?? null
}

export async function writeHomeMessage(
  db: Kysely<Database>,
  { main, isPublished }: HomeMessage,
  by: { name: string; at: Date },
): Promise<void> {
  const row = { main, is_published: isPublished, updated_at: by.at, updated_by: by.name }
  await db
    .insertInto('article')
    .values({ key: HOME_MESSAGE, ...row })
    .onConflict((c) => c.column('key').doUpdateSet(row))
    .execute()
}
