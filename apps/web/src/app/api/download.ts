import { send } from './client.ts'

/** A file of many megabytes over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000

/** Hands bytes to the browser as a file of the given name. */
export function saveBlob(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Fetches a file with the session's token and saves it. @throws ApiError */
export async function download(path: string, filename: string): Promise<void> {
  const response = await send(path, { timeoutMs: DOWNLOAD_TIMEOUT_MS })
  saveBlob(await response.blob(), filename)
}
