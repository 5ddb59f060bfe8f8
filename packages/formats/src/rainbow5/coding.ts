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

/** Looks every code up in `table`; codes are big-endian, `bytes` holds 1 or 2 bytes a value. */
export function decodeValues(bytes: Buffer, depth: 8 | 16, table: Float32Array): Float32Array {
  const count = depth === 8 ? bytes.length : bytes.length >> 1
  const values = new Float32Array(count)
  if (depth === 8) for (let i = 0; i < count; i++) values[i] = table[bytes[i]]
  else for (let i = 0, b = 0; i < count; i++, b += 2) values[i] = table[(bytes[b] << 8) | bytes[b + 1]]
  return values
}

/** The nearest code of `coded` (unit of the data), kept within 1 and the last code. */
export function encodeValue(coded: number, coding: Coding): number {
  const code = 1 + Math.round((coded - coding.min) / codeStep(coding))
  return Math.min(2 ** coding.depth - 1, Math.max(1, code))
}
