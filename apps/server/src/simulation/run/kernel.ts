import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { KernelChoice, ThreadMessage } from '@radx/hydrology/surface/types'
import { KERNEL_FOLDER } from '../../store/sewer-kernel.ts'

export const MAX_THREADS = 64

export interface ChosenKernel {
  choice: KernelChoice
  threads: number
  /** French, for whoever runs it: why it will be slow; null when nothing is amiss. */
  warning: string | null
}

/**
 * The compiled kernel on `threads` threads, or the slower reference on one when it was not built.
 * @param folder where the compiled kernels are
 */
export const chooseKernel = (threads = 1, kernel?: 'reference' | 'simd', folder?: string): ChosenKernel =>
  choose('surface', { threads, kernel, kernelFolder: folder })

/** The full scheme of an order, as `chooseKernel`. */
export function fullChoice(how: Wanted, order?: 1 | 2): ChosenKernel {
  const chosen = choose('full', how)
  return { ...chosen, choice: { ...chosen.choice, scheme: 'full', order } }
}

interface Wanted {
  threads?: number
  kernel?: 'reference' | 'simd'
  kernelFolder?: string
}

function choose(
  name: 'surface' | 'full',
  { threads = 1, kernel, kernelFolder = KERNEL_FOLDER }: Wanted,
): ChosenKernel {
  const path = join(kernelFolder, threads > 1 ? `${name}-threads.wasm` : `${name}.wasm`)
  const missing = kernel === undefined && !existsSync(path)
  if (kernel === 'reference' || missing)
    return { choice: { kernel: 'reference' }, threads: 1, warning: missing ? SLOW : null }
  const wasm = readFileSync(path)
  const choice: KernelChoice =
    threads > 1
      ? { kernel: 'simd', wasm, threads: { count: threads, spawn: spawnThread } }
      : { kernel: 'simd', wasm }
  return { choice, threads, warning: null }
}

const SLOW =
  'le noyau de calcul compilé manque : le noyau de référence le remplace, sur un seul fil et environ dix fois plus lent. Lancer « npm run build:kernels ».'

function spawnThread(message: ThreadMessage): { stop(): void } {
  const worker = new Worker(new URL('./surface-thread.ts', import.meta.url), { workerData: message })
  worker.unref()
  return { stop: () => void worker.terminate() }
}
