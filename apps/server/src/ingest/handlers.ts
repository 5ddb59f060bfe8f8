import type { Logger } from '../log.ts'

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
}

/** What became of a file that was not refused. */
export interface Handled {
  /** `known`: this content was taken in before and nothing changed. */
  outcome: 'stored' | 'known'
  /** Where the original belongs, relative to the archive folder. */
  archivePath: string
  /** In French, what it was: `dpsri 2021-07-04T15:50:00Z`. */
  summary: string
}

/** What handlers may use. */
export interface HandlerServices {
  /** Place in the archive for a file measured on that day: `<kind>/YYYY/MM/DD/<name>`, free of others. */
  archivePathFor(kind: string, measuredMs: number, name: string, hash: Uint8Array): Promise<string>
  /** @throws IngestRefusal for an instant that lies ahead of the clock or before there were such files */
  checkClock(measuredMs: number): void
  log: Logger
}

/**
 * A kind of data that ingest takes. Refusals are thrown as RadxError with status 422; when the database is
 * away or the disk is full the error is passed on and ingest asks again later. The work must leave the event
 * loop free (use a WorkerPool) and be safe to repeat: a kill may come at any moment.
 */
export interface IngestHandler {
  /** Folder of the archive, such as `rainbow5`. */
  kind: string
  /** Largest file in bytes; a larger one is refused unread. */
  maxBytes: number
  /** How long a file must have kept its size before it counts as complete, ms. */
  settleMs: number
  matches(file: { name: string; head: Buffer }): boolean
  handle(file: IncomingFile, services: HandlerServices): Promise<Handled>
  close?(): Promise<void>
}
