import { ApiError } from '../../../app/api/errors.ts'

/** What the archive's error shows (specification 1, section 8). */
export interface ArchiveFailure {
  /** Status of the response, or 408. */
  code: number
  statusText: string
  message: string
}

const TIMED_OUT = 'Time out'
const TOO_LONG = 'The request took too long, please retry in a few minutes.'

export function archiveFailure(error: unknown): ArchiveFailure {
  const response = error instanceof ApiError && error.status !== null ? error : null
  return {
    code: response?.status ?? 408,
    statusText: response?.statusText || TIMED_OUT,
    message: response?.serverMessage || TOO_LONG,
  }
}
