import { X_BAND_MEMBERSHIP } from './membership.ts'

/** Classes of hydrometeors in the order of their codes, from 1 on; 0 is none. */
export const CLASSES = [
  { short: 'LR', label: 'pluie faible' },
  { short: 'MR', label: 'pluie modérée' },
  { short: 'HR', label: 'pluie forte' },
  { short: 'LD', label: 'grosses gouttes' },
  { short: 'HL', label: 'grêle' },
  { short: 'RH', label: 'pluie et grêle' },
  { short: 'GH', label: 'grésil' },
  { short: 'DS', label: 'neige sèche' },
  { short: 'WS', label: 'neige mouillée' },
  { short: 'HC', label: 'cristaux horizontaux' },
  { short: 'VC', label: 'cristaux verticaux' },
] as const

export const HAIL_CODES: readonly number[] = [5, 6, 7]

const FIRST_DBZ = -10
const STEP_DBZ = 2
const ROWS = 55
const CORNERS = 4
const WEIGHTS = { DBZH: 2, ZDR: 1, RHOHV: 1, KDP: 1, T: 1 } as const
type Observable = keyof typeof WEIGHTS

/** `[(class * ROWS + row of reflectivity) * 4 + corner]`, NaN where a class has no membership. */
const TABLES = Object.fromEntries(
  Object.entries(X_BAND_MEMBERSHIP).map(([name, classes]) => [name, tableOf(classes)]),
) as Record<Observable, Float64Array>

function tableOf(classes: readonly string[]): Float64Array {
  const out = new Float64Array(classes.length * ROWS * CORNERS).fill(Number.NaN)
  classes.forEach((text, at) => {
    const parts = text.split(';').map((part) => part.split(':'))
    for (let i = 0; i + 1 < parts.length; i++) {
      const corners = parts[i][1].split(' ').map(Number)
      for (let z = Number(parts[i][0]); z < Number(parts[i + 1][0]); z += STEP_DBZ)
        out.set(corners, (at * ROWS + (z - FIRST_DBZ) / STEP_DBZ) * CORNERS)
    }
  })
  return out
}

/** What is known of each gate, `[k]`; a field that is missing is left out of the mean. */
export interface Observed {
  /** dBZ, corrected for attenuation. */
  dbz: ArrayLike<number>
  /** dB, calibrated. */
  zdr?: ArrayLike<number> | null
  rho?: ArrayLike<number> | null
  /** Degrees a km, one way. */
  kdp?: ArrayLike<number> | null
  /** Degrees Celsius. */
  temperature?: ((k: number) => number) | null
}

/**
 * Class of each gate by fuzzy logic: the greatest mean of memberships, reflectivity counted twice (Zrnic et al. 2001,
 * J. Atmos. Oceanic Technol. 18, 892-913; trapezoids of X band). Temperature and reflectivity also exclude: a class that
 * has none of either is not taken.
 * @returns codes 1 to 11 of `CLASSES`, 0 where nothing is known or nothing fits
 */
export function classify({ dbz, zdr, rho, kdp, temperature }: Observed): Uint8Array {
  const out = new Uint8Array(dbz.length)
  for (let k = 0; k < out.length; k++) {
    const z = dbz[k]
    const row = Math.round((z - FIRST_DBZ) / STEP_DBZ)
    if (!(row >= 0 && row < ROWS)) continue
    const t = temperature ? temperature(k) : Number.NaN
    const seen: Seen = {
      z,
      t,
      zdr: zdr ? zdr[k] : Number.NaN,
      rho: rho ? rho[k] : Number.NaN,
      kdp: kdp ? kdp[k] : Number.NaN,
    }
    let best = 0
    for (let at = 0; at < CLASSES.length; at++) {
      const fit = fitOf(seen, (at * ROWS + row) * CORNERS)
      if (fit <= best) continue
      best = fit
      out[k] = at + 1
    }
  }
  return out
}

/** One gate; NaN is not known. */
interface Seen {
  z: number
  t: number
  zdr: number
  rho: number
  kdp: number
}

/** Mean of the memberships in a class, 0 where reflectivity or temperature excludes it. @param i its place in the tables */
function fitOf({ z, t, zdr, rho, kdp }: Seen, i: number): number {
  const byZ = membership(TABLES.DBZH, i, z)
  if (byZ === 0) return 0
  const byT = Number.isNaN(t) ? 1 : membership(TABLES.T, i, t)
  if (byT === 0) return 0
  let sum = WEIGHTS.DBZH * byZ + (Number.isNaN(t) ? 0 : WEIGHTS.T * byT)
  let weight: number = WEIGHTS.DBZH + (Number.isNaN(t) ? 0 : WEIGHTS.T)
  if (Number.isFinite(zdr)) {
    sum += WEIGHTS.ZDR * membership(TABLES.ZDR, i, zdr)
    weight += WEIGHTS.ZDR
  }
  if (Number.isFinite(rho)) {
    sum += WEIGHTS.RHOHV * membership(TABLES.RHOHV, i, rho)
    weight += WEIGHTS.RHOHV
  }
  if (Number.isFinite(kdp)) {
    sum += WEIGHTS.KDP * membership(TABLES.KDP, i, kdp)
    weight += WEIGHTS.KDP
  }
  return sum / weight
}

function membership(table: Float64Array, i: number, value: number): number {
  const [a, d] = [table[i], table[i + 3]]
  if (!(value > a && value < d)) return 0
  const [b, c] = [table[i + 1], table[i + 2]]
  return value < b ? (value - a) / (b - a) : value > c ? (d - value) / (d - c) : 1
}
