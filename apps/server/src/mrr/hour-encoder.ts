import { encodeVariable, joinChunk, KEPT, type Kept } from './chunk-codec.ts'
import { binMaxima, type Hour, hoursOf, type Profiles, rowsOf } from './profiles.ts'

/** An hour of a file as it is stored. */
export interface EncodedHour extends Pick<Hour, 'hourMs' | 'timesMs'> {
  gates: number
  /** Largest LWC of each five minutes, g/m3. */
  maxima: Map<number, number>
  bytes: Buffer
}

/** Packs profiles hour by hour, a variable at a time: while the next one is still being read. */
export class HourEncoder {
  readonly #heightsM: number[]
  readonly #hours: (Hour & { maxima: Map<number, number> })[]
  readonly #packed = new Map<Kept, Buffer[]>()

  constructor({ timesMs, heightsM }: Pick<Profiles, 'timesMs' | 'heightsM'>) {
    this.#heightsM = Array.from(heightsM)
    this.#hours = hoursOf(timesMs).map((hour) => ({ ...hour, maxima: new Map() }))
  }

  /** @param values `[profile * ngates + gate]`, in the order of the file */
  add(name: Kept, values: Float32Array): void {
    const packed = this.#hours.map((hour) => {
      const rows = rowsOf(values, hour.rows, this.#heightsM.length)
      if (name === 'LWC') hour.maxima = binMaxima(hour.timesMs, rows)
      return encodeVariable(rows)
    })
    this.#packed.set(name, packed)
  }

  finish(): EncodedHour[] {
    return this.#hours.map(({ hourMs, timesMs, maxima }, h) => ({
      hourMs,
      timesMs,
      gates: this.#heightsM.length,
      maxima,
      bytes: joinChunk(
        { timesMs, heightsM: this.#heightsM },
        [...this.#packed].map(([name, hours]) => [name, hours[h]]),
      ),
    }))
  }
}

export function encodeProfiles(profiles: Profiles): EncodedHour[] {
  const encoder = new HourEncoder(profiles)
  for (const name of KEPT) {
    const values = profiles.variables[name]
    if (values) encoder.add(name, values)
  }
  return encoder.finish()
}
