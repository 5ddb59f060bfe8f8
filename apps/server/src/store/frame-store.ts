/** A file of the store: one a product, UTC day and kind; rebuilt kinds get a new generation. */
export interface PackName {
  product: string
  /** UTC day YYYY-MM-DD. */
  day: string
  /**
   * `pack`: the codes, and `quality`: what is known of theirs; both never rewritten. `classes`, `tiles` and `moved`
   * (tiles of the rain as it moved): derived, rebuildable. `forecast` and `members`: of one issue, kept for some days.
   */
  kind: 'pack' | 'quality' | 'classes' | 'tiles' | 'moved' | 'forecast' | 'members'
  /** Of a forecast the second of the day at which it was issued. */
  generation: number
}

/** A file some of whose records lie apart from it. */
export interface LooseFile {
  name: PackName
  /** When the newest of them was written, ms. */
  newestMs: number
}

/** A file of one issue as it lies there. */
export interface IssuedFile {
  name: PackName
  writtenMs: number
}

/** Where a record lies inside its file. */
export interface RecordRef {
  offset: number
  length: number
}

/**
 * Where frames lie. The index in PostgreSQL decides what exists: bytes that no committed row points
 * to are nothing, and the next append overwrites them. Writers hold the product's advisory lock.
 */
export interface FrameStore {
  /**
   * Writes records one after another from `end` on, which is where the index says that the file
   * ends, and makes them durable. Whatever a crash left behind `end` is cut off first.
   * @param repair a file that is shorter than `end` is filled up with zeros instead of refused
   * @returns where each record lies, in order
   * @throws StoreCorruptError when the file is shorter than the index says (a store that keeps records apart
   * finds that when they are read)
   */
  append(name: PackName, end: number, records: Uint8Array[], repair?: boolean): Promise<RecordRef[]>
  /** Whole records as they were appended, or any part of a file that was put; in the order asked for.
   * @throws StoreCorruptError when the file is shorter */
  read(name: PackName, refs: RecordRef[]): Promise<Buffer[]>
  /** Puts a whole file in place at once: readers see nothing or all of it. */
  put(name: PackName, bytes: Uint8Array[]): Promise<void>
  /** Removes a file; one that is not there is no error. */
  remove(name: PackName): Promise<void>
  /** Forecast files of a product, also those that a crash left half-written or without a row. */
  issued(product: string): AsyncIterable<IssuedFile>
  /** Files whose records lie apart and could be gathered. */
  loose(): Promise<LooseFile[]>
  /**
   * Gathers the records of a file; each keeps its place.
   * @param refs every record that the index has of it; others are dropped
   */
  compact(name: PackName, refs: RecordRef[]): Promise<void>
}
