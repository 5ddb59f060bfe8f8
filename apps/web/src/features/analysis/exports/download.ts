import { type CallOptions, send } from '../../../app/api/client.ts'
import { saveBlob } from '../../../app/api/download.ts'

/** Exports read a whole period. */
const TIMEOUT_MS = 180_000

/** Name in a Content-Disposition header; null without one. */
export function nameInHeader(disposition: string | null): string | null {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? null
}

/**
 * Fetches a file with the session's token and saves it.
 * @param nameOf name from the answer's headers
 * @throws ApiError
 */
export async function downloadExport(
  path: string,
  query: CallOptions['query'],
  nameOf: (headers: Headers) => string,
): Promise<void> {
  const response = await send(path, { query, timeoutMs: TIMEOUT_MS })
  saveBlob(await response.blob(), nameOf(response.headers))
}
