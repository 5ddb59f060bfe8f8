/** Eight tables of 256: what a byte comes to that stands 0 to 7 bytes before the end of a step. */
let tables: Uint32Array[] | null = null

function makeTables(): Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
    return c
  })
  const all = [first]
  for (let k = 1; k < 8; k++) all.push(all[k - 1].map((c) => (c >>> 8) ^ first[c & 255]))
  return all
}

/** CRC-32 (ISO-HDLC, that of zip and gzip) of bytes, unsigned; eight bytes a step (Kounavis and Berry, 2008). */
export function crc32(bytes: Uint8Array): number {
  tables ??= makeTables()
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables
  const n = bytes.length
  let crc = -1
  let i = 0
  for (; i + 8 <= n; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    crc =
      t7[crc & 255] ^
      t6[(crc >>> 8) & 255] ^
      t5[(crc >>> 16) & 255] ^
      t4[crc >>> 24] ^
      t3[bytes[i + 4]] ^
      t2[bytes[i + 5]] ^
      t1[bytes[i + 6]] ^
      t0[bytes[i + 7]]
  }
  for (; i < n; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]) & 255]
  return ~crc >>> 0
}
