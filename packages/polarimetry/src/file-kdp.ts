/** The KDP that a file brings, beside the one rebuilt from its phase. */
export interface FileKdp {
  correlation: number
  /** Root mean square difference, degrees a km. */
  rms: number
  isNoise: boolean
}

const MIN_GATES = 100

/**
 * Compares both over gates of 20 dBZ and more. The file's is noise where it neither follows the other nor stays within
 * 1 degree a km of it, which light rain does, whose KDP is near 0 and follows nothing. Null for fewer than 100 gates.
 */
export function judgeFileKdp(
  inFile: ArrayLike<number>,
  rebuilt: ArrayLike<number>,
  dbz: ArrayLike<number>,
): FileKdp | null {
  let n = 0
  let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0]
  for (let k = 0; k < dbz.length; k++) {
    if (!(dbz[k] >= 20 && Number.isFinite(inFile[k]) && Number.isFinite(rebuilt[k]))) continue
    n++
    x += inFile[k]
    y += rebuilt[k]
    xx += inFile[k] ** 2
    yy += rebuilt[k] ** 2
    xy += inFile[k] * rebuilt[k]
  }
  if (n < MIN_GATES) return null
  const spread = Math.sqrt(Math.max(0, (xx - x ** 2 / n) * (yy - y ** 2 / n)))
  const correlation = spread > 0 ? (xy - (x * y) / n) / spread : 0
  const rms = Math.sqrt(Math.max(0, xx + yy - 2 * xy) / n)
  return { correlation, rms, isNoise: correlation < 0.5 && rms > 1 }
}
