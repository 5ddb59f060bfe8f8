/**
 * What drops do to a wave: the demonstration's own physics, from drop sizes to moments. Nothing of it comes from
 * the relations between moments that `@radx/polarimetry` inverts.
 */

type Complex = readonly [re: number, im: number]

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c]
const over = ([a, b]: Complex, [c, d]: Complex): Complex => {
  const n = c * c + d * d
  return [(a * c + b * d) / n, (b * c - a * d) / n]
}
const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d]
const minus = ([a, b]: Complex, [c, d]: Complex): Complex => [a - c, b - d]
const root = ([a, b]: Complex): Complex => {
  const size = Math.hypot(a, b)
  return [Math.sqrt((size + a) / 2), Math.sqrt((size - a) / 2)]
}

/** Relative permittivity of water by two Debye terms (Liebe, Hufford and Manabe 1991), imaginary part positive. */
export function permittivity(frequencyGHz: number, celsius: number): Complex {
  const t = 300 / (celsius + 273.15) - 1
  const still = 77.66 + 103.3 * t
  const first = 0.0671 * still
  const second = 3.52
  const g1 = 20.2 - 146 * t + 316 * t * t
  const g2 = 39.8 * g1
  const term = (size: number, g: number): Complex => over([frequencyGHz * size, 0], [frequencyGHz, -g])
  return minus(minus([still, 0], term(still - first, g1)), term(first - second, g2))
}

/** Efficiencies of extinction and of backscatter of a sphere (Mie; recurrences of Bohren and Huffman 1983, appendix A). */
export function mie(x: number, m: Complex): { extinction: number; backscatter: number } {
  const y: Complex = [m[0] * x, m[1] * x]
  const terms = Math.ceil(x + 4 * Math.cbrt(x) + 2)
  const start = Math.ceil(Math.max(terms, Math.hypot(...y))) + 15
  const d: Complex[] = new Array(start + 1).fill([0, 0])
  for (let n = start; n > 1; n--) {
    const ratio = over([n, 0], y)
    d[n - 1] = minus(ratio, over([1, 0], plus(d[n], ratio)))
  }
  let [psi0, psi1, chi0, chi1] = [Math.cos(x), Math.sin(x), -Math.sin(x), Math.cos(x)]
  let extinction = 0
  let back: Complex = [0, 0]
  for (let n = 1; n <= terms; n++) {
    const psi = ((2 * n - 1) * psi1) / x - psi0
    const chi = ((2 * n - 1) * chi1) / x - chi0
    const of = (by: Complex): Complex =>
      over(minus([by[0] * psi, by[1] * psi], [psi1, 0]), minus(times(by, [psi, -chi]), [psi1, -chi1]))
    const a = of(plus(over(d[n], m), [n / x, 0]))
    const b = of(plus(times(d[n], m), [n / x, 0]))
    extinction += (2 * n + 1) * (a[0] + b[0])
    const sign = (2 * n + 1) * (n % 2 === 0 ? 1 : -1)
    back = plus(back, [sign * (a[0] - b[0]), sign * (a[1] - b[1])])
    ;[psi0, psi1, chi0, chi1] = [psi1, psi, chi1, chi]
  }
  return { extinction: (2 * extinction) / x ** 2, backscatter: (back[0] ** 2 + back[1] ** 2) / x ** 2 }
}

/** Height over width of a falling drop (Brandes et al. 2002, J. Appl. Meteor. 41, 674-685). @param mm diameter */
const axisRatio = (mm: number): number =>
  Math.min(1, 0.9951 + 0.0251 * mm - 0.03644 * mm ** 2 + 0.005303 * mm ** 3 - 0.0002492 * mm ** 4)

/** m/s (Atlas, Srivastava and Sekhon 1973). @param mm diameter */
const fallSpeed = (mm: number): number => Math.max(0, 9.65 - 10.3 * Math.exp(-0.6 * mm))

/** Drops of one size, one a cubic metre. */
export interface DropClass {
  mm: number
  /** Rain, mm/h. */
  rain: number
  /** Reflectivity, mm6/m3. */
  zh: number
  zv: number
  /** One-way, dB a km. */
  ah: number
  av: number
  /** One-way, degrees a km. */
  kdp: number
}

export const DROP_STEP_MM = 0.1
const LARGEST_MM = 7

/**
 * Spheres of the same volume by Mie for strength, oblate spheroids by Gans for what differs between both directions.
 * @param celsius of the water
 */
export function dropClasses(frequencyGHz: number, celsius: number): DropClass[] {
  const wavelength = 299.792458 / frequencyGHz
  const k = (2 * Math.PI) / wavelength
  const eps = permittivity(frequencyGHz, celsius)
  const out: DropClass[] = []
  for (let i = 1; i * DROP_STEP_MM <= LARGEST_MM + 1e-9; i++) {
    const mm = i * DROP_STEP_MM
    const { extinction, backscatter } = mie((k * mm) / 2, root(eps))
    const section = (Math.PI / 4) * mm ** 2
    const [h, v] = polarizabilities(axisRatio(mm), eps)
    const sphere = polarizabilities(1, eps)[0]
    const volume = (Math.PI / 6) * mm ** 3
    const z = (wavelength ** 4 * backscatter * section) / (Math.PI ** 5 * 0.93)
    const a = 4.343e-3 * extinction * section
    const power = ([re, im]: Complex): number => re * re + im * im
    out.push({
      mm,
      rain: 6e-4 * Math.PI * mm ** 3 * fallSpeed(mm),
      zh: (z * power(h)) / power(sphere),
      zv: (z * power(v)) / power(sphere),
      ah: (a * h[1]) / sphere[1],
      av: (a * v[1]) / sphere[1],
      kdp: ((180 / Math.PI) * 1e-3 * wavelength * k ** 2 * volume * (h[0] - v[0])) / (4 * Math.PI),
    })
  }
  return out
}

/** Polarizability a volume along the width and along the height of an oblate spheroid (Gans 1912). */
function polarizabilities(ratio: number, eps: Complex): [Complex, Complex] {
  const g = Math.sqrt(Math.max(1e-12, 1 / ratio ** 2 - 1))
  const tall = ratio > 0.9999 ? 1 / 3 : ((1 + g * g) / (g * g)) * (1 - Math.atan(g) / g)
  const of = (factor: number): Complex => {
    const excess = minus(eps, [1, 0])
    return over(excess, plus([1, 0], [factor * excess[0], factor * excess[1]]))
  }
  return [of((1 - tall) / 2), of(tall)]
}

/** What rain of one distribution of drops shows. */
export interface RainMoments {
  zh: number
  zv: number
  ah: number
  av: number
  kdp: number
}

/**
 * Moments a mm/h of a gamma distribution N(D) ~ D^mu exp(-(3.67 + mu) D / d0).
 * @param d0 median volume diameter, mm
 */
export function momentsPerMmH(drops: readonly DropClass[], d0: number, mu: number): RainMoments {
  const sum = { rain: 0, zh: 0, zv: 0, ah: 0, av: 0, kdp: 0 }
  for (const drop of drops) {
    // Drops above three median diameters break up.
    if (drop.mm > 3 * d0) break
    const n = drop.mm ** mu * Math.exp((-(3.67 + mu) * drop.mm) / d0)
    for (const key of ['rain', 'zh', 'zv', 'ah', 'av', 'kdp'] as const) sum[key] += n * drop[key]
  }
  const { rain, ...rest } = sum
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, value / rain]),
  ) as unknown as RainMoments
}
