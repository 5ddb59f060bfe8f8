import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { FrameStore, PackName, RecordRef } from '../store/frame-store.ts'
import type { FsFrameStore } from '../store/fs-frame-store.ts'

const BATCH_BYTES = 8 * 1024 * 1024

/** A file of the frame store and the records that the index has of it, by offset. */
export interface FrameFile {
  name: PackName
  refs: RecordRef[]
}

/** Every file that the client's snapshot speaks of, a day at a time. Pixel tiles are made anew instead. */
export async function* frameFiles(client: pg.ClientBase): AsyncGenerator<FrameFile> {
  const { rows: days } = await client.query<{ id: number; product: string; day: string }>(
    `select distinct p.id, p.short_name as product, ((f.time at time zone 'UTC')::date)::text as day
      from radar_frame f join radar_product p on p.id = f.product_id order by 2, 3`,
  )
  for (const { id, product, day } of days) {
    const span = [id, `${day}T00:00:00Z`]
    const where = `product_id = $1 and time >= $2::timestamptz and time < $2::timestamptz + interval '1 day'`
    const packs = await client.query<RecordRef>(
      `select pack_offset::float8 as offset, pack_length as length from radar_frame
        where ${where} and pack_offset is not null order by 1`,
      span,
    )
    if (packs.rows.length > 0) yield { name: { product, day, kind: 'pack', generation: 0 }, refs: packs.rows }
    const quality = await client.query<RecordRef>(
      `select pack_offset::float8 as offset, pack_length + classes_zstd + classes_deflate as length
        from radar_quality where ${where} order by 1`,
      span,
    )
    if (quality.rows.length > 0)
      yield { name: { product, day, kind: 'quality', generation: 0 }, refs: quality.rows }
    const classes = await client.query<RecordRef & { generation: number }>(
      `select classes_offset::float8 as offset, classes_zstd + classes_deflate as length,
        classes_generation as generation from radar_frame where ${where} and classes_offset is not null order by 1`,
      span,
    )
    for (const [generation, refs] of Map.groupBy(classes.rows, (row) => row.generation))
      yield { name: { product, day, kind: 'classes', generation }, refs }
  }
  const { rows: chunks } = await client.query<RecordRef & { day: string }>(
    `select ((hour at time zone 'UTC')::date)::text as day, pack_offset::float8 as offset, pack_length as length
      from mrr_chunk order by 1, 2`,
  )
  for (const [day, refs] of Map.groupBy(chunks, (row) => row.day))
    yield { name: { product: 'mrr', day, kind: 'pack', generation: 0 }, refs }
}

/**
 * Copies what a folder does not have of a file yet; records keep their places.
 * @returns records that the source could not give: they stay holes of zeros, which a rebuild finds
 */
export async function copyFrameFile(from: FrameStore, to: FsFrameStore, file: FrameFile): Promise<number> {
  const { name, refs } = file
  let held = await stat(to.path(name)).then(
    ({ size }) => size,
    () => 0,
  )
  const last = refs.findLast(({ offset, length }) => offset + length <= held)
  // Another history of the same day has other bytes: compare where the two would differ.
  if (held > 0 && !(last && (await sameRecord(from, to, name, last)))) held = 0
  let lost = 0
  for (const batch of batches(refs.filter(({ offset, length }) => offset + length > held))) {
    const records = await from.read(name, batch).catch(async (error) => {
      if (!(error instanceof StoreCorruptError)) throw error
      return Promise.all(batch.map((ref) => readOrNull(from, name, ref)))
    })
    for (const run of runs(batch, records)) await to.append(name, run.offset, run.bytes, true)
    lost += records.filter((record) => record === null).length
  }
  return lost
}

async function sameRecord(a: FrameStore, b: FrameStore, name: PackName, ref: RecordRef): Promise<boolean> {
  const [one, other] = await Promise.all([readOrNull(a, name, ref), readOrNull(b, name, ref)])
  return one === null || (other !== null && one.equals(other))
}

function readOrNull(store: FrameStore, name: PackName, ref: RecordRef): Promise<Buffer | null> {
  return store.read(name, [ref]).then(
    ([bytes]) => bytes,
    (error) => {
      if (!(error instanceof StoreCorruptError)) throw error
      return null
    },
  )
}

/** Records that follow each other without a gap are written in one go. */
function runs(refs: RecordRef[], records: (Buffer | null)[]): { offset: number; bytes: Buffer[] }[] {
  const found: { offset: number; end: number; bytes: Buffer[] }[] = []
  for (const [k, { offset, length }] of refs.entries()) {
    const bytes = records[k] ?? Buffer.alloc(length)
    const before = found.at(-1)
    if (before?.end === offset) {
      before.bytes.push(bytes)
      before.end += length
    } else found.push({ offset, end: offset + length, bytes: [bytes] })
  }
  return found
}

function* batches(refs: RecordRef[]): Generator<RecordRef[]> {
  let batch: RecordRef[] = []
  let bytes = 0
  for (const ref of refs) {
    batch.push(ref)
    bytes += ref.length
    if (bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
