import type { DoubleTriangle } from '@radx/contracts/simulation'
import { type MontanaCoefficients, montanaDepthMm } from './montana.ts'

/** A design storm that cannot be drawn: which of its values, and why, in French. */
export class StormError extends RangeError {
  override readonly name = 'StormError'
  readonly field: string
  constructor(field: string, messageFr: string) {
    super(messageFr)
    this.field = field
  }
}

/** Rain in equal blocks: `ratesMmH[k]` is the mean from minute k x stepMin to the next. */
export interface BlockRain {
  stepMin: number
  ratesMmH: number[]
}

/** Longest design storm, min: a week. */
export const MAX_STORM_MIN = 10_080
const MIN_STEP_MIN = 1 / 60
/** Up to this long, blocks of a Chicago storm hold its law within any window. */
const FINE_STEP_MIN = 1
/** Least share of the law in a window of such blocks: 0.5 % less, and what printed digits may lose. */
const LEAST_SHARE = 0.99505

const fr = (value: number) => String(value).replace('.', ',')

function checkTimes(durationMin: number, stepMin: number): void {
  if (!(durationMin > 0 && durationMin <= MAX_STORM_MIN))
    throw new StormError(
      'duration',
      `une durée de ${fr(durationMin)} min n’est pas possible : de 1 min à 7 jours.`,
    )
  if (!(stepMin >= MIN_STEP_MIN && stepMin <= durationMin))
    throw new StormError(
      'step',
      `un pas de ${fr(stepMin)} min n’est pas possible : d’une seconde à la durée de la pluie (${fr(durationMin)} min).`,
    )
}

function checkLaw({ a, b }: MontanaCoefficients): void {
  if (!(a > 0 && Number.isFinite(a))) throw new StormError('a', `a vaut ${fr(a)} : il doit être positif.`)
  if (!(b > 0 && b < 1)) throw new StormError('b', `b vaut ${fr(b)} : il doit être entre 0 et 1.`)
}

/**
 * Block means of a rain given by the depth fallen until each minute. Volume is kept: a last block that the storm
 * does not fill is the mean over the whole block.
 */
function blocks(durationMin: number, stepMin: number, fallenMm: (minute: number) => number): BlockRain {
  const count = Math.ceil(durationMin / stepMin - 1e-9)
  const edges = Array.from({ length: count + 1 }, (_, k) => fallenMm(k === count ? durationMin : k * stepMin))
  const ratesMmH = edges.slice(1).map((mm, k) => (Math.max(0, mm - edges[k]) * 60) / stepMin)
  return { stepMin, ratesMmH }
}

/** Depth fallen until `minute` of a Chicago storm, mm; see `chicago`. */
export function chicagoDepthMm(
  law: MontanaCoefficients,
  { durationMin, peak }: { durationMin: number; peak: number },
  minute: number,
): number {
  const { a, b } = law
  // What falls within x minutes before the peak and within y after it.
  const before = (x: number) => a * peak ** b * x ** (1 - b)
  const after = (y: number) => a * (1 - peak) ** b * y ** (1 - b)
  const top = peak * durationMin
  const start = before(top)
  return minute <= top ? start - before(top - minute) : start + after(minute - top)
}

/**
 * Chicago storm (Keifer and Chu, 1957) of Montana's law: around the peak, at the share `peak` (0 to 1) of the
 * duration, the largest depth of any duration is the law's. Before it i = a (1-b) (t / r)^-b, after it
 * i = a (1-b) (t / (1-r))^-b; blocks are means, since the peak itself is infinite. Of blocks of a minute or less, the
 * few around the peak are parted again so that windows of any number of blocks hold the law's depth within 0.5 %.
 * @throws StormError for a value that cannot be
 */
export function chicago(
  law: MontanaCoefficients,
  storm: { durationMin: number; stepMin: number; peak: number },
): BlockRain {
  checkLaw(law)
  checkTimes(storm.durationMin, storm.stepMin)
  if (!(storm.peak >= 0 && storm.peak <= 1))
    throw new StormError(
      'peak',
      `la place de la pointe vaut ${fr(storm.peak)} : donner une part de la durée, de 0 à 1 (0,4 souvent).`,
    )
  const means = blocks(storm.durationMin, storm.stepMin, (minute) => chicagoDepthMm(law, storm, minute))
  return storm.stepMin <= FINE_STEP_MIN ? partedAtPeak(law, storm.durationMin, means) : means
}

/**
 * A Chicago storm whose largest depth over any number of blocks is the law's within 0.5 %. Edges of blocks do not part
 * a window as the peak does, so those of a few blocks would hold too little (one block beside the peak only the share
 * (1-r)^b). The blocks of the largest window beyond which none does keep their sum and their order of size, but become
 * as large as the law's own increments, which no window can exceed.
 */
function partedAtPeak(law: MontanaCoefficients, durationMin: number, rain: BlockRain): BlockRain {
  const { stepMin } = rain
  const lawMm = (count: number) => montanaDepthMm(law, Math.min(durationMin, count * stepMin))
  const mm = rain.ratesMmH.map((rate) => (rate * stepMin) / 60)
  const window = windowToPart(mm, lawMm)
  if (window === null) return rain
  const { from, to, depthMm } = window
  const share = depthMm / lawMm(to - from)
  const bySize = Array.from({ length: to - from }, (_, k) => from + k).sort((x, y) => mm[y] - mm[x])
  bySize.forEach((block, k) => {
    mm[block] = share * (lawMm(k + 1) - lawMm(k))
  })
  return { stepMin, ratesMmH: mm.map((depth) => (depth * 60) / stepMin) }
}

/** The largest window of so many blocks that every larger one holds its law's depth; null where all windows do. */
function windowToPart(
  mm: readonly number[],
  lawMm: (count: number) => number,
): { from: number; to: number; depthMm: number } | null {
  let from = mm.reduce((most, depth, k) => (depth > mm[most] ? k : most), 0)
  let to = from + 1
  let depthMm = mm[from]
  let found: ReturnType<typeof windowToPart> = null
  let isShort = false
  for (;;) {
    const holds = depthMm >= LEAST_SHARE * lawMm(to - from)
    if (holds && isShort) found = { from, to, depthMm }
    isShort = !holds
    const [left, right] = [mm[from - 1] ?? -1, mm[to] ?? -1]
    if (left < 0 && right < 0) return found
    // Rain falls off on both sides of its peak: the largest window grows by the larger of its neighbours.
    if (left > right) from--
    else to++
    depthMm += Math.max(left, right)
  }
}

/** A rain of one intensity that brings the law's depth, mm/h. @throws StormError for a value that cannot be */
export function uniformStorm(
  law: MontanaCoefficients,
  { durationMin, stepMin }: { durationMin: number; stepMin: number },
): BlockRain {
  checkLaw(law)
  checkTimes(durationMin, stepMin)
  const depthMm = montanaDepthMm(law, durationMin)
  return blocks(durationMin, stepMin, (minute) => (depthMm * minute) / durationMin)
}

/**
 * Desbordes' double triangle (Desbordes 1974; Desbordes and Raous 1980) as the parameters of a virtual rain: a rain
 * of `totalMin` holding the depth of `totalLaw`, of which the depth of `intenseLaw` falls within `intenseMin`.
 * Straight lines 0, shoulder i2 = 2 (H3 - H1) / (t3 - t1), peak iMax = 2 H1 / t1 - i2, shoulder, 0. `peak` is the
 * place of the peak as a share of the whole.
 * @returns t1, t2 (start of the intense part), t3 in min, iMax and i2 in mm/h
 * @throws StormError for a value that cannot be, or when the intense part would be the weaker one
 */
export function doubleTriangle(
  laws: { total: MontanaCoefficients; intense: MontanaCoefficients },
  { totalMin, intenseMin, peak }: { totalMin: number; intenseMin: number; peak: number },
): Omit<DoubleTriangle, 'calmAfter'> {
  checkLaw(laws.total)
  checkLaw(laws.intense)
  checkTimes(totalMin, Math.min(totalMin, 1))
  if (!(intenseMin > 0 && intenseMin < totalMin))
    throw new StormError(
      'intense',
      `la période intense (${fr(intenseMin)} min) doit être plus courte que la pluie (${fr(totalMin)} min).`,
    )
  const t2 = peak * totalMin - intenseMin / 2
  if (!(t2 >= 0 && t2 + intenseMin <= totalMin + 1e-9))
    throw new StormError(
      'peak',
      `avec la pointe à ${fr(peak)} de la durée, la période intense sortirait de la pluie. Rapprocher de 0,5.`,
    )
  const totalMm = montanaDepthMm(laws.total, totalMin)
  const intenseMm = montanaDepthMm(laws.intense, intenseMin)
  if (!(totalMm > intenseMm))
    throw new StormError(
      'total',
      'la pluie entière apporterait moins que sa période intense : allonger la durée totale ou choisir une période de retour plus proche.',
    )
  const i2 = (120 * (totalMm - intenseMm)) / (totalMin - intenseMin)
  const iMax = (120 * intenseMm) / intenseMin - i2
  if (!(iMax > i2))
    throw new StormError(
      'intense',
      'la période intense serait plus faible que le reste : la raccourcir ou choisir des périodes de retour plus proches.',
    )
  return { t1: intenseMin, t2, t3: totalMin, iMax, i2 }
}

/** Block means of the double triangle, without the minutes before and after it. @throws StormError for a step that cannot be */
export function doubleTriangleBlocks(
  { t1, t2, t3, iMax, i2 }: Omit<DoubleTriangle, 'calmAfter'>,
  stepMin: number,
): BlockRain {
  checkTimes(t3, stepMin)
  const line: [minute: number, rateMmH: number][] = [
    [0, 0],
    [t2, i2],
    [t2 + t1 / 2, iMax],
    [t2 + t1, i2],
    [t3, 0],
  ]
  return blocks(t3, stepMin, (minute) => {
    let mm = 0
    for (let k = 1; k < line.length; k++) {
      const [x0, y0] = line[k - 1]
      const [x1, y1] = line[k]
      const end = Math.min(minute, x1)
      if (end > x0) mm += ((y0 + (y0 + ((y1 - y0) * (end - x0)) / (x1 - x0))) / 120) * (end - x0)
    }
    return mm
  })
}
