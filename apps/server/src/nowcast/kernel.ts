import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../../packages/motion/build')
let loaded: Uint8Array<ArrayBuffer> | undefined

/** The compiled transform, if it was built: without it TypeScript does the same, many times slower. */
export function motionWasm(folder: string = FOLDER): Uint8Array<ArrayBuffer> | undefined {
  if (loaded && folder === FOLDER) return loaded
  const path = join(folder, 'fft.wasm')
  if (!existsSync(path)) return undefined
  loaded = new Uint8Array(readFileSync(path))
  return loaded
}
