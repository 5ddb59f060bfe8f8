import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { OutputMissing } from '../errors.ts'

const TAB = 9
const NEWLINE = 10
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
/** Bytes between two breaths: others are served while a large table is read. */
const SLICE_BYTES = 2_000_000

/**
 * A table over time as `SeriesFile` writes it. Its bytes are read as they stand: the table of a large network has
 * millions of numbers, and mostly a few columns are wanted.
 */
export class SeriesTable {
  readonly names: readonly string[]
  private readonly file: string
  private readonly bytes: Uint8Array
  /** Where the first row begins. */
  private readonly start: number

  private constructor(file: string, bytes: Uint8Array) {
    this.file = file
    this.bytes = bytes
    const end = bytes.indexOf(NEWLINE)
    const head = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))).split('\t')
    if (end < 0 || head[0] !== 'time_s') throw new OutputMissing(file)
    this.names = head.slice(1)
    this.start = end + 1
  }

  /** @throws OutputMissing, also when its head is damaged */
  static async open(dir: string, name: string): Promise<SeriesTable> {
    const bytes = await readFile(join(dir, name)).catch(() => {
      throw new OutputMissing(name)
    })
    return new SeriesTable(name, bytes)
  }

  /**
   * Reads row by row. The array is the same every time: the values of the columns `wanted`, in their order.
   * @throws OutputMissing when the table is damaged or has no row
   */
  async read(wanted: readonly number[], row: (timeS: number, values: Float64Array) => void): Promise<void> {
    const bytes = this.bytes
    const columns = this.names.length
    /** Place among the wanted of each column, -1 for the others. */
    const place = new Int32Array(columns).fill(-1)
    for (const [k, column] of wanted.entries()) place[column] = k
    const values = new Float64Array(wanted.length)
    const line = new LineReader(bytes, this.start)
    let rested = this.start
    let rows = 0
    while (line.at < bytes.length) {
      const timeS = line.number()
      let sound = !Number.isNaN(timeS)
      for (let column = 0; column < columns && sound; column++) {
        if (bytes[line.at++] !== TAB) sound = false
        else if (place[column] < 0) sound = line.skip()
        else {
          const value = line.number()
          values[place[column]] = value
          sound = !Number.isNaN(value)
        }
      }
      if (!sound || (line.at < bytes.length && bytes[line.at] !== NEWLINE)) throw new OutputMissing(this.file)
      line.at++
      rows++
      row(timeS, values)
      if (line.at - rested > SLICE_BYTES) {
        rested = line.at
        await setImmediate()
      }
    }
    if (rows === 0) throw new OutputMissing(this.file)
  }

  /** Whole columns. */
  async columns(wanted: readonly number[]): Promise<{ timesS: number[]; series: number[][] }> {
    const timesS: number[] = []
    const series = wanted.map((): number[] => [])
    await this.read(wanted, (timeS, values) => {
      timesS.push(timeS)
      for (let k = 0; k < values.length; k++) series[k].push(values[k])
    })
    return { timesS, series }
  }

  /** Largest size in each column, as it is with every column. */
  async peaks(): Promise<{ timesS: number[]; peaks: Float64Array }> {
    const timesS: number[] = []
    const peaks = new Float64Array(this.names.length)
    await this.read([...this.names.keys()], (timeS, values) => {
      timesS.push(timeS)
      for (let k = 0; k < values.length; k++) peaks[k] = Math.max(peaks[k], Math.abs(values[k]))
    })
    return { timesS, peaks }
  }
}

/** Decimal numbers as `SeriesFile` writes them: a sign, digits, perhaps a point and more digits. */
class LineReader {
  private readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  /** NaN where no number stands. */
  number(): number {
    const bytes = this.bytes
    const negative = bytes[this.at] === MINUS
    if (negative) this.at++
    let digits = 0
    let value = 0
    let scale = 1
    let fraction = false
    for (; ; this.at++) {
      const byte = bytes[this.at]
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + (byte - ZERO)
        if (fraction) scale *= 10
        digits++
      } else if (byte === POINT && !fraction) fraction = true
      else break
    }
    if (digits === 0) return Number.NaN
    // Both are whole numbers below 2^53: the quotient is the nearest double, as that of the text is.
    return (negative ? -value : value) / scale
  }

  /** Passes over a field; false where it has nothing in it. */
  skip(): boolean {
    const bytes = this.bytes
    const from = this.at
    while (this.at < bytes.length && bytes[this.at] !== TAB && bytes[this.at] !== NEWLINE) this.at++
    return this.at > from
  }
}
