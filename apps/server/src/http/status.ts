import type { Status, Verification } from '@radx/contracts'

/** The store fills this in; until it does, `GET /api/status` is not found. */
export interface StatusSeam {
  read: (() => Promise<Status>) | null
  /** What the last walk over all stored bytes came to. */
  verification?: () => Promise<Verification | null>
  /** Browsers that are connected to this process. */
  sockets?: () => number
}
