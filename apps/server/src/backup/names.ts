import type pg from 'pg'
import { jobOutput } from '../jobs/api.ts'
import { catchmentFolder, draftFileFolder, networkFolder } from '../store/file-store.ts'

/** Originals that the client's snapshot speaks of, with their sizes and SHA-256. */
export async function originals(
  client: pg.ClientBase,
): Promise<{ name: string; bytes: number; hash: Buffer }[]> {
  const { rows } = await client.query<{ name: string; bytes: number; hash: Buffer }>(
    `select archive_path as name, bytes::float8 as bytes, hash from source_file
      where archive_path is not null order by 1`,
  )
  return rows
}

/** Folders of the file store: results of finished jobs, catchment packages, versions of networks and files of drafts. */
export async function folders(client: pg.ClientBase): Promise<{ name: string }[]> {
  const jobs = await client.query<{ id: string }>(
    `select id from job where status = 'done' order by created_at`,
  )
  const catchments = await client.query<{ id: string; hash: string }>(
    `select id, hash from catchment
      union select catchment_id, hash from catchment_version order by 1, 2`,
  )
  const networks = await client.query<{ id: string; version: number }>(
    'select network_id as id, version from network_version order by 1, 2',
  )
  const drafts = await client.query<{ draft: string; file: string }>(
    'select draft_id as draft, id as file from builder_file order by 1, 2',
  )
  return [
    ...catchments.rows.map(({ id, hash }) => ({ name: catchmentFolder(id, hash) })),
    ...networks.rows.map(({ id, version }) => ({ name: networkFolder(id, version) })),
    ...drafts.rows.map(({ draft, file }) => ({ name: draftFileFolder(draft, file) })),
    ...jobs.rows.map(({ id }) => ({ name: jobOutput(id) })),
  ]
}
