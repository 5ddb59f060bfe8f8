import type { Status } from '@radx/contracts'

/** The store fills this in; until it does, `GET /api/status` is not found. */
export interface StatusSeam {
  read: (() => Promise<Status>) | null
}
