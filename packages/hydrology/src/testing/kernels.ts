import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { KernelChoice, ThreadMessage } from '../surface/types.ts'

const BUILD = join(import.meta.dirname, '../../build')

export const reference: KernelChoice = { kernel: 'reference' }

export function simd(): KernelChoice {
  return { kernel: 'simd', wasm: readFileSync(join(BUILD, 'surface.wasm')) }
}

/** The full scheme, compiled or the reference. */
export const fullScheme = (order: 1 | 2, kernel: 'reference' | 'simd' = 'simd'): KernelChoice => ({
  kernel,
  scheme: 'full',
  order,
  ...(kernel === 'simd' && { wasm: readFileSync(join(BUILD, 'full.wasm')) }),
})

/** Both kernels by name, on one thread. */
export const bothKernels = (): Array<[string, KernelChoice]> => [
  ['reference', reference],
  ['simd', simd()],
]

const THREAD = `
import { workerData } from 'node:worker_threads'
const { runSurfaceThread } = await import(workerData.url)
runSurfaceThread(workerData.message)
`

/** The SIMD kernel on `count` threads. */
export const threaded = (count: number): KernelChoice => ({
  kernel: 'simd',
  wasm: readFileSync(join(BUILD, 'surface-threads.wasm')),
  threads: { count, spawn },
})

/** The full scheme on `count` threads. */
export const fullThreaded = (order: 1 | 2, count: number): KernelChoice => ({
  kernel: 'simd',
  scheme: 'full',
  order,
  wasm: readFileSync(join(BUILD, 'full-threads.wasm')),
  threads: { count, spawn },
})

function spawn(message: ThreadMessage): { stop(): void } {
  const url = new URL('../surface/simd.ts', import.meta.url).href
  const code = `data:text/javascript,${encodeURIComponent(THREAD)}`
  const worker = new Worker(new URL(code), { workerData: { url, message } })
  worker.unref()
  return { stop: () => void worker.terminate() }
}

/** The sewer's compiled inner loops. */
export const sewerWasm = () => readFileSync(join(BUILD, 'sewer.wasm'))

/** The compiled loops of its explicit scheme. */
export const explicitSewerWasm = () => readFileSync(join(BUILD, 'sewer-explicit.wasm'))

/** The compiled loops of runoff. */
export const runoffWasm = () => readFileSync(join(BUILD, 'runoff.wasm'))
