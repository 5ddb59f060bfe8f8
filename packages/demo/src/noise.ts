/**
 * Hashed noise: every value is a pure function of its coordinates and a seed, so that any moment and any
 * place can be computed without the ones before.
 */

/** 32-bit hash of three integers and a seed (finaliser after Wellons 2018, "Prospecting for hash functions"). */
export function hash(a: number, b: number, c: number, seed: number): number {
  let h = (seed + Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca77) + Math.imul(c, 0xc2b2ae3d)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) | 0
}

/** Uniform in [0, 1). */
export function uniform(a: number, b: number, c: number, seed: number): number {
  return (hash(a, b, c, seed) >>> 0) / 4_294_967_296
}

/** Hash of a word, to make seeds apart. */
export function wordSeed(word: string, seed: number): number {
  let h = seed | 0
  for (let i = 0; i < word.length; i++) h = hash(word.charCodeAt(i), i, 0, h)
  return h
}

/** Draws one after the other for one thing (a front, a cell): `next()` is uniform in [0, 1). */
export class Draws {
  private readonly a: number
  private readonly b: number
  private readonly seed: number
  private count = 0

  constructor(seed: number, a: number, b = 0) {
    this.a = a
    this.b = b
    this.seed = seed
  }

  next(): number {
    return uniform(this.a, this.b, ++this.count, this.seed)
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }

  /** Standard normal (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  /** Poisson by inversion, for small means. */
  poisson(mean: number): number {
    let p = Math.exp(-mean)
    let left = this.next() - p
    let k = 0
    while (left > 0 && k < 20) {
      p *= mean / ++k
      left -= p
    }
    return k
  }
}

/** Smooth noise along a line, about -1 to 1, one independent value a unit of `x`, C1. */
export function lineNoise(x: number, seed: number): number {
  const i = Math.floor(x)
  const f = x - i
  const s = f * f * (3 - 2 * f)
  const at = (k: number) => hash(k, 0, 0, seed) / 2_147_483_648
  return at(i) * (1 - s) + at(i + 1) * s
}

/** Two octaves of it. */
export function lineNoise2(x: number, seed: number): number {
  return (lineNoise(x, seed) + 0.5 * lineNoise(2.3 * x + 17.3, seed + 1)) / 1.3
}

interface Level {
  i0: number
  j0: number
  ni: number
  nj: number
}

/** How fast and how rough a texture is. */
export interface Texture {
  seed: number
  /** Lattice spacing of the finest octave, km. */
  finestKm: number
  /** Octaves, each twice as wide as the one below. */
  octaves: number
  /** Amplitude grows with the width to this power (0.3 rough, 0.6 smooth). */
  roughness: number
  /** Time after which an octave 10 km wide has changed into another, hours; grows with width^0.6. */
  lifeHours: number
}

/**
 * Fractal noise on a moving lattice, about standard normal. Coarse octaves are refined by cubic B-spline
 * subdivision (Chaikin's successor, Lane and Riesenfeld 1980) while finer ones are added; each octave
 * fades from one independent layer to the next at its own pace, wide ones slowly.
 */
export class LatticeNoise {
  private values = new Float32Array(0)
  private coarse = new Float32Array(0)
  private rows = new Float32Array(0)

  /**
   * Noise at lattice points i0 to i1, j0 to j1 of the finest octave, `[(i - i0) * nj + (j - j0)]`.
   * The array is reused by the next call.
   */
  fill(i0: number, i1: number, j0: number, j1: number, hours: number, texture: Texture): Float32Array {
    const levels: Level[] = []
    let [a0, a1, b0, b1] = [i0, i1, j0, j1]
    for (let k = texture.octaves - 1; k >= 0; k--) {
      levels[k] = { i0: a0, j0: b0, ni: a1 - a0 + 1, nj: b1 - b0 + 1 }
      a0 = Math.floor(a0 / 2) - 1
      b0 = Math.floor(b0 / 2) - 1
      a1 = Math.floor((a1 + 1) / 2) + 1
      b1 = Math.floor((b1 + 1) / 2) + 1
    }
    const amplitudes = octaveAmplitudes(texture)
    for (let k = 0; k < texture.octaves; k++) {
      const level = levels[k]
      const size = level.ni * level.nj
      const previous = this.values
      this.values = this.coarse.length < size ? new Float32Array(size) : this.coarse
      this.coarse = previous
      if (k > 0) this.refine(levels[k - 1], level)
      else this.values.fill(0, 0, size)
      const widthKm = texture.finestKm * 2 ** (texture.octaves - 1 - k)
      const phase = hours / (texture.lifeHours * (widthKm / 10) ** 0.6) + k * 0.37
      addOctave(this.values, level, phase, amplitudes[k], wordSeed(`octave${k}`, texture.seed))
    }
    return this.values
  }

  private refine(from: Level, to: Level): void {
    const size = from.ni * to.nj
    if (this.rows.length < size) this.rows = new Float32Array(size)
    const coarse = this.coarse
    const rows = this.rows
    const fine = this.values
    for (let i = 0; i < from.ni; i++) {
      const at = i * from.nj - from.j0
      const out = i * to.nj
      for (let n = 0; n < to.nj; n++) {
        const j = to.j0 + n
        const m = at + (j >> 1)
        rows[out + n] =
          (j & 1) === 0
            ? 0.125 * (coarse[m - 1] + coarse[m + 1]) + 0.75 * coarse[m]
            : 0.5 * (coarse[m] + coarse[m + 1])
      }
    }
    const nj = to.nj
    for (let n = 0; n < to.ni; n++) {
      const i = to.i0 + n
      const m = ((i >> 1) - from.i0) * nj
      const out = n * nj
      if ((i & 1) === 0)
        for (let j = 0; j < nj; j++)
          fine[out + j] = 0.125 * (rows[m - nj + j] + rows[m + nj + j]) + 0.75 * rows[m + j]
      else for (let j = 0; j < nj; j++) fine[out + j] = 0.5 * (rows[m + j] + rows[m + nj + j])
    }
  }
}

/** Amplitude of the hashed values of each octave, coarsest first, so that the sum has a variance of 1. */
function octaveAmplitudes({ octaves, roughness }: Texture): number[] {
  const weights = Array.from({ length: octaves }, (_, k) => 2 ** ((octaves - 1 - k) * roughness))
  const norm = Math.sqrt(weights.reduce((sum, w) => sum + w * w, 0))
  // Variance that interpolation leaves of values uniform in [-1, 1]: cubic spline (151/315)^2 / 3; the
  // finest octave is interpolated linearly, (2/3)^2 / 3.
  return weights.map((w, k) => w / norm / Math.sqrt(k === octaves - 1 ? 4 / 27 : (151 / 315) ** 2 / 3))
}

function addOctave(values: Float32Array, level: Level, phase: number, amplitude: number, seed: number): void {
  const layer = Math.floor(phase)
  const angle = (phase - layer) * (Math.PI / 2)
  // Weights on a circle keep the variance while one layer fades into the next.
  const w0 = (Math.cos(angle) * amplitude) / 2_147_483_648
  const w1 = (Math.sin(angle) * amplitude) / 2_147_483_648
  const s0 = (seed + Math.imul(layer, 0xc2b2ae3d)) | 0
  const s1 = (seed + Math.imul(layer + 1, 0xc2b2ae3d)) | 0
  for (let n = 0; n < level.ni; n++) {
    const row = Math.imul(level.i0 + n, 0x85ebca77)
    const out = n * level.nj
    for (let j = 0; j < level.nj; j++) {
      const point = (row + Math.imul(level.j0 + j, 0x9e3779b1)) | 0
      let a = (s0 + point) | 0
      a = Math.imul(a ^ (a >>> 16), 0x7feb352d)
      a = Math.imul(a ^ (a >>> 15), 0x846ca68b)
      let b = (s1 + point) | 0
      b = Math.imul(b ^ (b >>> 16), 0x7feb352d)
      b = Math.imul(b ^ (b >>> 15), 0x846ca68b)
      values[out + j] += w0 * ((a ^ (a >>> 16)) | 0) + w1 * ((b ^ (b >>> 16)) | 0)
    }
  }
}
