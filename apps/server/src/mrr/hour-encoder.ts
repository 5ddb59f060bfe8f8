import { encodeVariable, joinChunk, KEPT, type Kept, type MrrChunk } from './chunk-codec.ts'
import { type BinMaxima, binMaxima, type Hour, hoursOf, type Profiles, rowsOf } from './profiles.ts'

/** An hour of a file as it is stored. */
export interface EncodedHour extends Pick<Hour, 'hourMs' | 'timesMs'> {
  gates: number
  maxima: BinMaxima
  bytes: Buffer
}

/** Packs profiles hour by hour, a variable at a time: while the next one is still being read. */
export class HourEncoder {
  private readonly heightsM: number[]
  private readonly hours: Hour[]
  /** What the maxima are found from, hour by hour. */
  private readonly looked: Partial<Record<Kept, Float32Array>>[]
  private readonly packed = new Map<Kept, Buffer[]>()

  constructor({ timesMs, heightsM }: Pick<Profiles, 'timesMs' | 'heightsM'>) {
    this.heightsM = Array.from(heightsM)
    this.hours = hoursOf(timesMs)
    this.looked = this.hours.map(() => ({}))
  }

  /** @param values `[profile * ngates + gate]`, in the order of the file */
  add(name: Kept, values: Float32Array): void {
    const packed = this.hours.map((hour, h) => {
      const rows = rowsOf(values, hour.rows, this.heightsM.length)
      if (name !== 'RR') this.looked[h][name] = rows
      return encodeVariable(rows)
    })
    this.packed.set(name, packed)
  }

  private chunk(h: number): MrrChunk {
    const variables = { LWC: new Float32Array(), ...this.looked[h] }
    return { timesMs: this.hours[h].timesMs, heightsM: this.heightsM, variables }
  }

  finish(): EncodedHour[] {
    return this.hours.map(({ hourMs, timesMs }, h) => ({
      hourMs,
      timesMs,
      gates: this.heightsM.length,
      maxima: binMaxima(this.chunk(h)),
      bytes: joinChunk(
        { timesMs, heightsM: this.heightsM },
        [...this.packed].map(([name, hours]) => [name, hours[h]]),
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
