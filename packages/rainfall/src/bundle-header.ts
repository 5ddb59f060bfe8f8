/**
 * What binary answers begin with: four letters, the length of the header (uint32 little-endian), and the header as JSON
 * padded with spaces to a multiple of 4.
 */
export function encodeBundleHeader(magic: string, header: object): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header))
  const length = Math.ceil(json.length / 4) * 4
  const bytes = new Uint8Array(8 + length).fill(0x20)
  bytes.set(new TextEncoder().encode(magic))
  new DataView(bytes.buffer).setUint32(4, length, true)
  bytes.set(json, 8)
  return bytes
}
