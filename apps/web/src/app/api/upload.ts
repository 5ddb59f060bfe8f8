import { errorTexts } from '../../texts/shell.ts'
import { useAuth } from '../auth/store.ts'
import { apiUrl, type CallOptions, refusal, signedHeaders } from './client.ts'
import { ApiError } from './errors.ts'

/** 200 MiB over a slow line, and their reading. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000

interface UploadOptions extends Pick<CallOptions, 'query'> {
  signal?: AbortSignal
  /** Share of the bytes that have gone, 0 to 1; `fetch` tells nothing of it. */
  onSent?: (share: number) => void
}

/** Sends a file as it is, and reads the answer as JSON. @throws ApiError; an abort is passed on as the signal's reason */
export function uploadJson<T>(
  path: string,
  file: Blob,
  { query, signal, onSent }: UploadOptions,
): Promise<T> {
  const { token } = useAuth.getState()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const end = (error: unknown) => {
      signal?.removeEventListener('abort', abort)
      reject(error)
    }
    request.open('POST', apiUrl(path, query))
    request.timeout = UPLOAD_TIMEOUT_MS
    signedHeaders(token, { 'Content-Type': 'application/octet-stream' }).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0)
    request.onerror = () => end(new ApiError('network', errorTexts.network))
    request.ontimeout = () => end(new ApiError('timeout', errorTexts.timeout))
    request.onabort = () => end(signal?.reason)
    request.onload = async () => {
      signal?.removeEventListener('abort', abort)
      const { status, statusText } = request
      const response = new Response(request.responseText, { status, statusText })
      if (!response.ok) reject(await refusal(response, token))
      else
        resolve(
          response.json().catch((cause: unknown) => {
            throw new ApiError('unreadable', errorTexts.unreadable, { status, cause })
          }),
        )
    }
    if (signal?.aborted) return end(signal.reason)
    signal?.addEventListener('abort', abort)
    request.send(file)
  })
}
