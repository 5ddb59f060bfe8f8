import type { Rain } from '@radx/hydrology/rain/rain'

/** A rain that threads share: cells on which always the same fell are one group. */
export interface PackedRain {
  durationS: number
  intervalS: number
  edgesS: Float64Array
  /** Group of each model cell; empty for rain that is the same everywhere. */
  groupOf: Int32Array
  /** m/s, `[piece][group]`; one number where it is the same everywhere. */
  ratesMS: (number | Float64Array)[]
}

/** @param rain read piece by piece, once for its groups and once for its rates */
export function packRain(rain: Rain): PackedRain {
  const { durationS, intervalS, edgesS } = rain
  const pieces = edgesS.length - 1
  let groupOf: Int32Array | null = null
  let first: number[] = []
  for (let piece = 0; piece < pieces; piece++) {
    const rate = rain.rateMS(piece)
    if (typeof rate === 'number') continue
    if (groupOf === null) {
      groupOf = shared(Int32Array, rate.length)
      first = [0]
    }
    split(rate, groupOf, first)
  }
  const ratesMS = Array.from({ length: pieces }, (_, piece) => {
    const rate = rain.rateMS(piece)
    return typeof rate === 'number' ? rate : Float64Array.from(first, (cell) => rate[cell])
  })
  return { durationS, intervalS, edgesS, groupOf: groupOf ?? new Int32Array(0), ratesMS }
}

/** Parts groups of cells that a piece tells apart. `first` is a cell of each. */
function split(rate: Float64Array, groupOf: Int32Array, first: number[]): void {
  const parted = new Map<number, Map<number, number>>()
  for (let cell = 0; cell < rate.length; cell++) {
    const group = groupOf[cell]
    if (Object.is(rate[cell], rate[first[group]])) continue
    let byRate = parted.get(group)
    if (!byRate) {
      byRate = new Map()
      parted.set(group, byRate)
    }
    let own = byRate.get(rate[cell])
    if (own === undefined) {
      own = first.length
      first.push(cell)
      byRate.set(rate[cell], own)
    }
    groupOf[cell] = own
  }
}

export function unpackRain({ durationS, intervalS, edgesS, groupOf, ratesMS }: PackedRain): Rain {
  const rates = new Float64Array(groupOf.length)
  return {
    durationS,
    intervalS,
    edgesS,
    rateMS(piece) {
      const rate = ratesMS[piece]
      if (typeof rate === 'number') return rate
      for (let cell = 0; cell < rates.length; cell++) rates[cell] = rate[groupOf[cell]]
      return rates
    },
  }
}

const shared = (Type: Int32ArrayConstructor, length: number): Int32Array =>
  new Type(new SharedArrayBuffer(length * Type.BYTES_PER_ELEMENT))
