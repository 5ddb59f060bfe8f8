/**
 * Attenuation from reflectivity alone, gate by gate. Fields are `[ray * nbins + bin]`, dBZ in, two-way dB out; a
 * value that is not finite attenuates nothing.
 */
export interface PowerLaw {
  /** k = a Z^b, dB a km, Z in mm^6/m^3. */
  a: number
  b: number
  gateKm: number
}

/**
 * Hitschfeld and Bordan (1954): each gate is corrected by what those before it took. It may diverge; a ray does so
 * from the gate on where the corrected value passes `limitDbz`, and is NaN from there.
 */
export function hitschfeldBordan(
  dbz: ArrayLike<number>,
  nbins: number,
  law: PowerLaw,
  limitDbz = Number.POSITIVE_INFINITY,
): Float64Array {
  const out = new Float64Array(dbz.length)
  for (let start = 0; start + nbins <= dbz.length; start += nbins)
    forward(dbz, out, { start, nbins, limitDbz }, law)
  return out
}

/** The same with what is taken in all held at `cap` dB (Harrison et al. 2000, Meteorol. Appl. 7, 135-144). */
export function harrison(dbz: ArrayLike<number>, nbins: number, law: PowerLaw, cap = 4.8): Float64Array {
  const pia = hitschfeldBordan(dbz, nbins, law)
  return pia.map((value) => (Number.isNaN(value) ? cap : Math.min(value, cap)))
}

interface Ray {
  start: number
  nbins: number
  limitDbz: number
}

function forward(
  dbz: ArrayLike<number>,
  out: Float64Array,
  { start, nbins, limitDbz }: Ray,
  { a, b, gateKm }: PowerLaw,
): void {
  let sum = 0
  out[start] = 0
  for (let bin = 1; bin < nbins; bin++) {
    const z = dbz[start + bin - 1]
    if (Number.isFinite(z)) sum += 2 * gateKm * a * 10 ** (0.1 * b * (z + sum))
    const here = dbz[start + bin]
    if (!Number.isFinite(sum) || (Number.isFinite(here) && here + sum > limitDbz)) sum = Number.NaN
    out[start + bin] = sum
  }
}

export interface Constraint {
  aMax: number
  aMin: number
  aSteps: number
  bMax: number
  bMin: number
  bSteps: number
  gateKm: number
  /** No corrected value may pass it. */
  maxDbz: number
  /** No attenuation may pass it; leave out for Krämer and Verworn. */
  maxPia?: number
  /** Rays side by side below which a sector takes its attenuation from its neighbours. @default 10 */
  sector?: number
}

/**
 * Krämer and Verworn (2008), and with `maxPia` the modification of Jacobi and Heistermann (2016), Geomatics, Nat.
 * Hazards Risk 7, 1896-1911: coefficients fall, b outside and a inside, until no ray breaks a constraint. Sectors
 * narrower than `sector` rays take the end value between their neighbours, reached by bisection of a.
 */
export function constrained(dbz: ArrayLike<number>, nbins: number, options: Constraint): Float64Array {
  const { aMax, aMin, aSteps, bMax, bMin, bSteps, gateKm, sector = 10 } = options
  const nrays = Math.floor(dbz.length / nbins)
  const out = new Float64Array(dbz.length)
  const small = new Set<number>()
  let todo = Array.from({ length: nrays }, (_, ray) => ray)
  const run = (ray: number, a: number, b: number): void =>
    forward(dbz, out, { start: ray * nbins, nbins, limitDbz: Number.POSITIVE_INFINITY }, { a, b, gateKm })
  for (let j = 0; j < bSteps && todo.length > 0; j++)
    for (let i = 0; i < aSteps && todo.length > 0; i++) {
      const a = aMax - (aSteps > 1 ? (i * (aMax - aMin)) / (aSteps - 1) : 0)
      const b = bMax - (bSteps > 1 ? (j * (bMax - bMin)) / (bSteps - 1) : 0)
      for (const ray of todo) run(ray, a, b)
      const broken = Array.from({ length: nrays }, (_, ray) => breaks(dbz, out, ray * nbins, nbins, options))
      const large = wideSectors(broken, sector)
      broken.forEach((is, ray) => {
        if (is && !large[ray]) small.add(ray)
      })
      todo = large.flatMap((is, ray) => (is ? [ray] : []))
    }
  if (small.size === nrays) return out
  for (const [ray, aim] of aims(out, nbins, small)) {
    let low = aMin
    let high = aMax
    let b = bMax
    for (let turn = 0; turn < 60; turn++) {
      const a = (low + high) / 2
      run(ray, a, b)
      const miss = out[(ray + 1) * nbins - 1] - aim
      if (Math.abs(miss) < 0.25) break
      if (miss > 0 || Number.isNaN(miss)) high = a
      else low = a
      if (turn >= 10) b += miss > 0 || Number.isNaN(miss) ? -0.01 : 0.01
    }
  }
  return out
}

function breaks(
  dbz: ArrayLike<number>,
  pia: Float64Array,
  start: number,
  nbins: number,
  { maxDbz, maxPia = Number.POSITIVE_INFINITY }: Constraint,
): boolean {
  for (let k = start; k < start + nbins; k++)
    if (Number.isNaN(pia[k]) || pia[k] > maxPia || dbz[k] + pia[k] > maxDbz) return true
  return false
}

/** Rays of runs, round the circle, of at least `width`. */
function wideSectors(broken: boolean[], width: number): boolean[] {
  const n = broken.length
  const wide = broken.map(() => false)
  if (broken.every(Boolean)) return broken.map(() => n >= width)
  const origin = broken.indexOf(false)
  for (let k = 1, run = 0; k <= n; k++) {
    if (broken[(origin + k) % n]) {
      run++
      continue
    }
    if (run >= width) for (let back = 1; back <= run; back++) wide[(origin + k - back) % n] = true
    run = 0
  }
  return wide
}

/** End value of each of those rays, on the line between the nearest others round the circle. */
function aims(pia: Float64Array, nbins: number, rays: Set<number>): [number, number][] {
  const n = pia.length / nbins
  const end = (ray: number): number => pia[(ray + 1) * nbins - 1]
  return [...rays].map((ray) => {
    let back = 1
    while (rays.has((ray - back + n) % n)) back++
    let ahead = 1
    while (rays.has((ray + ahead) % n)) ahead++
    const before = end((ray - back + n) % n)
    return [ray, before + ((end((ray + ahead) % n) - before) * back) / (back + ahead)]
  })
}
