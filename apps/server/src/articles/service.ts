import type { HomeMessage, PublicHomeMessage } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { cleanHtml, isBlank } from './clean.ts'
import { readHomeMessage, writeHomeMessage } from './queries.ts'

/** What visitors see: nothing while it is unpublished, or published without a word in it. */
export async function publishedHomeMessage(db: Kysely<Database>): Promise<PublicHomeMessage> {
  const message = await readHomeMessage(db)
  return message?.isPublished && !isBlank(message.main) ? [{ main: message.main }] : []
}

/** Cleans and keeps the message. @returns what was kept */
export async function saveHomeMessage(
  db: Kysely<Database>,
  { main, isPublished }: HomeMessage,
  by: { name: string; at: Date },
): Promise<HomeMessage> {
  const kept = { main: cleanHtml(main), isPublished }
  await writeHomeMessage(db, kept, by)
  return kept
}
