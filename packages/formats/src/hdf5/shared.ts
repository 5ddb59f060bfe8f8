import { type Hdf5Limits, Hdf5Reader } from './reader.ts'

const readers = new Map<string, Hdf5Reader>()

/** The reader, and its thread, shared by all callers with the same limits. */
export function sharedHdf5Reader({ timeoutMs, maxMemoryMb }: Hdf5Limits = {}): Hdf5Reader {
  const key = `${timeoutMs} ${maxMemoryMb}`
  let reader = readers.get(key)
  if (!reader) {
    reader = new Hdf5Reader({ timeoutMs, maxMemoryMb })
    readers.set(key, reader)
  }
  return reader
}
