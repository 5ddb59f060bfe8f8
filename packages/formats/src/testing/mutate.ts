/** One piece of damage, as plain data so that a failing case can be written down and repeated. */
export interface Mutation {
  kind: (typeof MUTATION_KINDS)[number]
  /** Where, as a part of the file's length, [0, 1). */
  at: number
  /** How many bytes at most. */
  size: number
  /** What is written there, 32 bits. */
  value: number
}

export const MUTATION_KINDS = [
  'flip',
  'byte',
  'word16',
  'word32',
  'zeros',
  'cut',
  'remove',
  'repeat',
  'insert',
  'move',
  'number',
] as const

/** Values at which sizes and signs go wrong. */
const INTERESTING = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
]
/** Numbers in text that no reader may believe. */
const WILD_NUMBERS = [
  '0',
  '-1',
  '4294967296',
  '1e308',
  '99999999999999999999',
  'NaN',
  '',
  '0.0000001',
  '1000000',
]

/** The bytes with one piece of damage done. */
function mutate(bytes: Buffer, { kind, at, size, value }: Mutation): Buffer {
  if (bytes.length === 0) return bytes
  const start = Math.min(bytes.length - 1, Math.floor(at * bytes.length))
  const end = Math.min(bytes.length, start + Math.max(1, size))
  const copy = Buffer.from(bytes)
  const known = value % 3 === 0 ? INTERESTING[(value >>> 8) % INTERESTING.length] : value
  switch (kind) {
    case 'flip':
      copy[start] ^= 1 << (value & 7)
      return copy
    case 'byte':
      copy[start] = known & 255
      return copy
    case 'word16':
      if (start + 2 <= copy.length) copy[value & 1 ? 'writeUInt16BE' : 'writeUInt16LE'](known & 0xffff, start)
      return copy
    case 'word32':
      if (start + 4 <= copy.length) copy[value & 1 ? 'writeUInt32BE' : 'writeUInt32LE'](known >>> 0, start)
      return copy
    case 'zeros':
      return copy.fill(value & 1 ? 0xff : 0, start, end)
    case 'cut':
      return copy.subarray(0, start)
    case 'remove':
      return Buffer.concat([copy.subarray(0, start), copy.subarray(end)])
    case 'repeat':
      return Buffer.concat([copy.subarray(0, end), copy.subarray(start, end), copy.subarray(end)])
    case 'insert':
      return Buffer.concat([
        copy.subarray(0, start),
        Buffer.alloc(end - start, known & 255),
        copy.subarray(start),
      ])
    case 'move': {
      const target = (value >>> 0) % copy.length
      copy.copyWithin(target, start, end)
      return copy
    }
    case 'number':
      return rewriteNumber(copy, start, WILD_NUMBERS[(value >>> 0) % WILD_NUMBERS.length])
  }
}

/** Puts `text` in the place of the first run of digits after `from`. */
function rewriteNumber(bytes: Buffer, from: number, text: string): Buffer {
  const isDigit = (b: number): boolean => b >= 0x30 && b <= 0x39
  let start = from
  while (start < bytes.length && !isDigit(bytes[start])) start++
  let end = start
  while (end < bytes.length && isDigit(bytes[end])) end++
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)])
}

export function applyMutations(bytes: Uint8Array, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce(mutate, Buffer.from(bytes))
}
