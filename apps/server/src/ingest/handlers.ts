import type { KnownFile, SourceFile } from '../store/source-file.ts'

/** What lies where a file came from. */
export interface Beside {
  /** Path of the file of that name, which may not be there; null where none belongs to it. */
  path(name: string): string | null
  /** Whether what belongs together was waited for; a command takes what it was given. */
  waited: boolean
}

/** A file that is complete and waits to be taken in. */
export interface IncomingFile {
  path: string
  /** Name that its sender gave it. */
  name: string
  bytes: number
  /** First bytes, at most 4096. */
  head: Buffer
  /** Product that the drop folder or `--product` names; null when none does. */
  product: string | null
  /** Just arrived: goes ahead of a heap that is being worked through. */
  urgent: boolean
  beside: Beside
}

/** What a handler made of a file: read, checked, ready to be committed. */
export interface PreparedFile {
  /** SHA-256 of the content that was read, and its length. */
  hash: Uint8Array
  bytes: number
  /** First and last instant measured, ms; the original is kept under the day of the last. */
  firstMs: number
  lastMs: number
  /** In French, what it is: `dpsri 2021-07-04T15:50:00Z`. */
  summary: string
  /**
   * Stores what was measured and its file, all or none.
   * @returns null, or what is known of the file when its content was taken in before and nothing changed
   * @throws IngestRefusal when something else was stored in its place before
   */
  commit(source: SourceFile): Promise<KnownFile | null>
  /** Called once the file is where it belongs, and also when it was not committed. */
  release?(): void
}

/**
 * A kind of data that ingest takes. A handler only prepares and commits; clocks, places in the archive and the
 * fate of the file are the business of ingest. Refusals are thrown as RadxError with status 422; when the
 * database is away or the disk is full the error is passed on and ingest asks again later. The work must leave
 * the event loop free (use a WorkerPool) and be safe to repeat: a kill may come at any moment.
 */
export interface IngestHandler {
  /** Folder of the archive, such as `rainbow5`. */
  kind: string
  /** Largest file in bytes; a larger one is refused unread. */
  maxBytes: number
  /** How long a file must have kept its size before it counts as complete, ms. */
  settleMs: number
  matches(file: { name: string; head: Buffer }): boolean
  /** Whether files that it is to be taken with may still come. */
  awaits?(file: Pick<IncomingFile, 'name' | 'beside'>): Promise<boolean>
  prepare(file: IncomingFile): Promise<PreparedFile>
  /** Whether a file that was refused is of another instrument: the next handler that matches is asked then. */
  isForeign?(file: IncomingFile): Promise<boolean>
  close?(): Promise<void>
}
