import { type CallOptions, send } from '../../../app/api/client.ts'

/** Exports read a whole period. */
const TIMEOUT_MS = 180_000

/** Hands a file to the browser. */
function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Name in a Content-Disposition header; null without one. */
export function nameInHeader(disposition: string | null): string | null {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? null
}

/**
 * Fetches a file with the session's token and saves it.
 * @param nameOf name from the answer's headers
 * @throws ApiError
 */
export async function download(
  path: string,
  query: CallOptions['query'],
  nameOf: (headers: Headers) => string,
): Promise<void> {
  const response = await send(path, { query, timeoutMs: TIMEOUT_MS })
  saveBlob(await response.blob(), nameOf(response.headers))
}
