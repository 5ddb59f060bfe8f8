import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../../packages/motion/build')
const loaded = new Map<string, Uint8Array<ArrayBuffer>>()

/** A compiled kernel, if it was built: without it TypeScript does the same, many times slower. */
export function motionKernel(name: 'fft' | 'follow'): Uint8Array<ArrayBuffer> | undefined {
  const path = join(FOLDER, `${name}.wasm`)
  if (!loaded.has(name) && existsSync(path)) loaded.set(name, new Uint8Array(readFileSync(path)))
  return loaded.get(name)
}
