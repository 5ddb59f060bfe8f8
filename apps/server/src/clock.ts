/** The one source of time for services, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
