// Stands in for the map library's worker, which is 120 kB compressed and of no use before a vector source
// asks for a tile: messages wait here until one comes that needs the real thing.

import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'

interface Envelope {
  type?: string
}

/** Messages by which the library keeps its workers up to date; nothing waits for their answers. */
const HOUSEKEEPING = new Set(['SR', 'SL', 'UL', 'SI', 'UGS', 'SRPS', 'RM', 'RMT', '<response>', '<cancel>'])

let waiting: MessageEvent[] | null = []

const hold = (event: MessageEvent<Envelope>) => {
  if (waiting === null) return
  waiting.push(event)
  event.stopImmediatePropagation()
  if (!HOUSEKEEPING.has(event.data?.type ?? '')) void start()
}

let starting = false

async function start(): Promise<void> {
  if (starting) return
  starting = true
  await import(/* @vite-ignore */ workerUrl)
  const held = waiting ?? []
  waiting = null
  self.removeEventListener('message', hold)
  for (const event of held) self.dispatchEvent(new MessageEvent('message', { data: event.data }))
}

self.addEventListener('message', hold)
