import type { Writable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'

/** A zip that is written file by file as they come. */
export interface ZipStream {
  /** Adds a file whose content is compressed already. @throws what `out` fails with, such as a full disk */
  add(name: string, bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

export function zipInto(out: Writable): ZipStream {
  let failure: Error | null = null
  let drained: Promise<void> = Promise.resolve()
  let resume = () => {}
  out.on('drain', () => resume())
  out.on('error', (error) => {
    failure ??= error
    resume()
  })
  const zip = new Zip((error, bytes) => {
    if (error) failure = error
    else if (failure === null && !out.write(bytes))
      drained = new Promise((resolve) => {
        resume = resolve
      })
  })
  const settle = async () => {
    await drained
    if (failure) throw failure
  }
  return {
    add(name, bytes) {
      const entry = new ZipPassThrough(name)
      zip.add(entry)
      entry.push(bytes, true)
      return settle()
    },
    end() {
      zip.end()
      return settle()
    },
  }
}
