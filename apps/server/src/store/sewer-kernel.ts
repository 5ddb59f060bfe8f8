import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the build puts the compiled kernels. */
export const KERNEL_FOLDER = join(import.meta.dirname, '../../../../packages/hydrology/build')

/** The compiled loops of one of the sewer's schemes, if they were built: without them TypeScript does the same, slower. */
export function sewerWasm(
  scheme: 'implicit' | 'explicit',
  folder: string = KERNEL_FOLDER,
): Uint8Array<ArrayBuffer> | undefined {
  const path = join(folder, scheme === 'explicit' ? 'sewer-explicit.wasm' : 'sewer.wasm')
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
}

/** The compiled loops of runoff, if they were built: without them TypeScript does the same, slower. */
export function runoffWasm(folder: string = KERNEL_FOLDER): Uint8Array<ArrayBuffer> | undefined {
  const path = join(folder, 'runoff.wasm')
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
}
