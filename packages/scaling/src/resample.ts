/** Rain on a grid at even times, mm/h, `[time][row * ncols + col]`; NaN is missing. */
export interface EvenRain {
  nrows: number
  ncols: number
  rateMmH: readonly Float32Array[]
}

/** Means known below this share are missing. */
const KNOWN_SHARE = 0.5

/**
 * Rain on another grid over the same ground and time: each new cell has the mean of what it covers, so that sums stay
 * the same, but for what is missing.
 * @param to cells and times of the new grid
 * @throws RangeError for counts that are not positive and whole
 */
export function resample(rain: EvenRain, to: { nrows: number; ncols: number; times: number }): EvenRain {
  if (![to.nrows, to.ncols, to.times].every((count) => Number.isInteger(count) && count > 0))
    throw new RangeError(`cannot resample to ${to.nrows} x ${to.ncols}, ${to.times} times`)
  const rows = overlaps(rain.nrows, to.nrows)
  const cols = overlaps(rain.ncols, to.ncols)
  const times = overlaps(rain.rateMmH.length, to.times)
  const rateMmH = times.map((parts) => {
    const out = new Float32Array(to.nrows * to.ncols)
    for (let r = 0; r < to.nrows; r++)
      for (let c = 0; c < to.ncols; c++) {
        let [sum, known, whole] = [0, 0, 0]
        for (const [t, ofTime] of parts)
          for (const [row, ofRow] of rows[r])
            for (const [col, ofCol] of cols[c]) {
              const weight = ofTime * ofRow * ofCol
              const rate = rain.rateMmH[t][row * rain.ncols + col]
              whole += weight
              if (Number.isNaN(rate)) continue
              known += weight
              sum += weight * rate
            }
        out[r * to.ncols + c] = known >= KNOWN_SHARE * whole ? sum / known : Number.NaN
      }
    return out
  })
  return { nrows: to.nrows, ncols: to.ncols, rateMmH }
}

/** For each of `to` equal parts of a length, which of `from` equal parts it covers and how much of it. */
function overlaps(from: number, to: number): [number, number][][] {
  return Array.from({ length: to }, (_, k) => {
    const [start, end] = [(k * from) / to, ((k + 1) * from) / to]
    const first = Math.floor(start + 1e-9)
    const last = Math.min(from - 1, Math.ceil(end - 1e-9) - 1)
    return Array.from({ length: last - first + 1 }, (_, i): [number, number] => {
      const part = first + i
      return [part, Math.min(end, part + 1) - Math.max(start, part)]
    })
  })
}
