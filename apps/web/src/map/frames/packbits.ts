/**
 * Byte runs of a class block, for keeping days of frames in memory: a control byte n below 128 means
 * n + 1 literal bytes follow, 128 to 255 that the next byte stands n - 126 times (2 to 129).
 */
export function packRuns(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length + Math.ceil(bytes.length / 128))
  let size = 0
  let at = 0
  while (at < bytes.length) {
    const run = runLength(bytes, at)
    if (run >= 2) {
      out[size++] = run + 126
      out[size++] = bytes[at]
      at += run
      continue
    }
    const from = at
    while (at < bytes.length && at - from < 128 && runLength(bytes, at) < 3) at++
    if (at === from) at++
    out[size++] = at - from - 1
    out.set(bytes.subarray(from, at), size)
    size += at - from
  }
  return out.slice(0, size)
}

function runLength(bytes: Uint8Array, at: number): number {
  const value = bytes[at]
  const limit = Math.min(bytes.length, at + 129)
  let end = at + 1
  while (end < limit && bytes[end] === value) end++
  return end - at
}

/** Writes the bytes of `packRuns` back into `out`, which has to hold them all. */
export function unpackRuns(packed: Uint8Array, out: Uint8Array): void {
  let at = 0
  let size = 0
  while (at < packed.length) {
    const control = packed[at++]
    if (control < 128) {
      out.set(packed.subarray(at, at + control + 1), size)
      at += control + 1
      size += control + 1
    } else {
      out.fill(packed[at++], size, size + control - 126)
      size += control - 126
    }
  }
}
