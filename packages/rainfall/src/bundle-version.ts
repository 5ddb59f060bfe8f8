import { crc32 } from './crc32.ts'

/**
 * Names the content of a bundle: the parameter `v` of its address, so that an address stands for one content alone.
 * @param times instants of its frames, ISO 8601, ascending
 * @param checks CRC-32 of each frame's block, in the same order
 * @returns 8 hexadecimal digits
 */
export function bundleVersion(times: readonly string[], checks: readonly number[]): string {
  const lines = times.map((time, k) => `${Date.parse(time)} ${checks[k]}\n`)
  return crc32(new TextEncoder().encode(lines.join('')))
    .toString(16)
    .padStart(8, '0')
}
