import { ClassBundleDecoder } from '@radx/rainfall/class-bundle'
import { packRuns } from './packbits.ts'
import type { FramesReply, FramesRequest } from './protocol.ts'

// Reads bundles off the main thread: decode as the bytes stream in, squeeze, hand over.

const running = new Map<number, AbortController>()
const reply = (message: FramesReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

self.onmessage = ({ data }: MessageEvent<FramesRequest>) => {
  if (data.kind === 'cancel') {
    running.get(data.id)?.abort()
    return
  }
  const controller = new AbortController()
  running.set(data.id, controller)
  load(data.id, data.url, data.token, controller.signal)
    .catch((error: unknown) => {
      if (!controller.signal.aborted)
        reply({ kind: 'error', id: data.id, status: null, message: text(error) })
    })
    .finally(() => running.delete(data.id))
}

const text = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function load(id: number, url: string, token: string | null, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    signal,
    headers: token === null ? {} : { Authorization: `Bearer ${token}` },
  })
  if (!response.ok || response.body === null) {
    const body = (await response.json().catch(() => null)) as { message?: unknown } | null
    const message = typeof body?.message === 'string' ? body.message : response.statusText
    reply({ kind: 'error', id, status: response.status, message })
    return
  }
  const decoder = new ClassBundleDecoder()
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const frames = decoder.push(value).map(({ time, block }) => ({ time, packed: packRuns(block) }))
    if (frames.length === 0) continue
    const { steps } = decoder.header as { steps: number }
    const buffers = frames.map((frame) => frame.packed.buffer)
    reply({ kind: 'frames', id, steps, frames }, buffers)
  }
  decoder.finish()
  reply({ kind: 'done', id })
}
