/** Half-open range of instants in ms since 1970-01-01T00:00Z. */
export interface InstantRange {
  startMs: number
  /** Exclusive. */
  endMs: number
}
