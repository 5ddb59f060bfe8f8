import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { KernelChoice, ThreadMessage } from '@radx/hydrology/surface/types'

const BUILD = join(import.meta.dirname, '../../../../packages/hydrology/build')
export const MAX_THREADS = 64

/** The compiled kernel on `threads` threads, or the slower reference when it was not built. */
export function chooseKernel(threads: number, kernel?: 'reference' | 'simd'): KernelChoice {
  const path = join(BUILD, threads > 1 ? 'surface-threads.wasm' : 'surface.wasm')
  if (kernel === 'reference' || (kernel === undefined && !existsSync(path))) return { kernel: 'reference' }
  const wasm = readFileSync(path)
  return threads > 1
    ? { kernel: 'simd', wasm, threads: { count: threads, spawn: spawnThread } }
    : { kernel: 'simd', wasm }
}

function spawnThread(message: ThreadMessage): { stop(): void } {
  const worker = new Worker(new URL('./surface-thread.ts', import.meta.url), { workerData: message })
  worker.unref()
  return { stop: () => void worker.terminate() }
}
