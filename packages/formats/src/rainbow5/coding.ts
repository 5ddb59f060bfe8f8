/**
 * Rainbow 5 codes values as whole numbers of 8 or 16 bits: 0 means no echo, code c from 1 to 2^depth - 1
 * means min + (c - 1) * (max - min) / (2^depth - 2), so that the first code is min and the last max.
 */
export interface Coding {
  depth: 8 | 16
  /** Value of code 1, in the unit of the data. */
  min: number
  /** Value of the last code. */
  max: number
}

/** Distance between the values of two neighbouring codes. */
export function codeStep({ depth, min, max }: Coding): number {
  return (max - min) / (2 ** depth - 2)
}

/**
 * Value of every code, through `value` (unit conversion); `noEcho` is what code 0 stands for.
 * @returns 2^depth values, index = code
 */
export function decodeTable(coding: Coding, noEcho: number, value: (coded: number) => number): Float32Array {
  const table = new Float32Array(2 ** coding.depth)
  const step = codeStep(coding)
  table[0] = noEcho
  for (let code = 1; code < table.length; code++) table[code] = value(coding.min + (code - 1) * step)
  return table
}

/**
 * Looks every code up in `table`; codes are big-endian, `bytes` holds 1 or 2 bytes a value.
 * @param out as long as there are values
 */
export function decodeValues<T extends Float32Array | Uint16Array>(
  bytes: Uint8Array,
  depth: 8 | 16,
  table: T,
  out: T,
): T {
  const count = out.length
  if (depth === 8) for (let i = 0; i < count; i++) out[i] = table[bytes[i]]
  else for (let i = 0, b = 0; i < count; i++, b += 2) out[i] = table[(bytes[b] << 8) | bytes[b + 1]]
  return out
}

/** Bits of a picture, one a cell, 1 = no data; rows may begin on whole bytes. */
export interface FlagBits {
  bits: Uint8Array
  nrows: number
  ncols: number
  /** Bits from the start of a row to that of the next. */
  rowBits: number
}

/** Puts `value` into every flagged cell. */
export function fillFlagged(
  { bits, nrows, ncols, rowBits }: FlagBits,
  value: number,
  out: Float32Array | Uint16Array,
): void {
  for (let row = 0, cell = 0; row < nrows; row++) {
    const end = row * rowBits + ncols
    for (let bit = row * rowBits; bit < end; ) {
      const byte = bits[bit >> 3]
      if (byte === 0 && (bit & 7) === 0 && bit + 8 <= end) {
        bit += 8
        cell += 8
        continue
      }
      if (byte & (0x80 >> (bit & 7))) out[cell] = value
      bit++
      cell++
    }
  }
}

/** Gives the nearest code of a value in the unit of the data, kept within 1 and the last code. */
export function valueEncoder(coding: Coding): (coded: number) => number {
  const { min } = coding
  const step = codeStep(coding)
  const last = 2 ** coding.depth - 1
  return (coded) => Math.min(last, Math.max(1, 1 + Math.round((coded - min) / step)))
}
