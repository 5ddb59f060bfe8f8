import { type Dataset, File, FS, type Group } from 'h5wasm'
import { hdf5Ready } from './file.ts'

let files = 0

/** The library stamps objects with the clock; with the clock held, the same input gives the same bytes. */
export function atFixedTime<T>(write: () => T): T {
  const now = Date.now
  Date.now = () => 0
  try {
    return write()
  } finally {
    Date.now = now
  }
}

/** Bytes of a new HDF5 file that `fill` writes. Nothing of it stays in the library's memory, also when that fails. */
export async function newHdf5(fill: (file: File) => void | Promise<void>): Promise<Uint8Array> {
  await hdf5Ready()
  const path = `/radx-new-${files++}.h5`
  const file = atFixedTime(() => new File(path, 'w', { track_order: true }))
  try {
    try {
      await fill(file)
    } finally {
      file.close()
    }
    return (FS! as unknown as { readFile(path: string): Uint8Array }).readFile(path)
  } finally {
    FS!.unlink(path)
  }
}

/** An attribute of one text, marked as ASCII where it is that, else as UTF-8. */
export function writeText(node: Group | Dataset, name: string, value: string): void {
  const size = Buffer.byteLength(value)
  node.create_attribute(name, value, null, `${size > value.length ? 'S' : 'A'}${Math.max(1, size)}`)
}
