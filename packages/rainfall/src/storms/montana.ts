/**
 * Montana's law of depth, duration and frequency: i = a t^-b (mm/min), h = a t^(1-b) (mm), t in minutes, 0 < b < 1
 * (convention of Météo-France and of the Instruction technique 77-284).
 */
export interface MontanaCoefficients {
  a: number
  b: number
}

/** One line of a table: the law of a return period over a range of durations, both ends included. */
export interface MontanaLaw extends MontanaCoefficients {
  periodYears: number
  fromMin: number
  toMin: number
}

/** Depth in mm that falls within `minutes`. */
export function montanaDepthMm({ a, b }: MontanaCoefficients, minutes: number): number {
  return a * minutes ** (1 - b)
}

/**
 * In what a table states its coefficients: `mm-min` is i in mm/min for t in min; `mmh-min` i in mm/h for t in min
 * (a is 60 times larger); `mmh-h` i in mm/h for t in hours (a is the depth of an hour).
 */
export const MONTANA_UNITS = ['mm-min', 'mmh-min', 'mmh-h'] as const
export type MontanaUnits = (typeof MONTANA_UNITS)[number]

/** `a` of the convention above (mm and minutes) from the `a` of a table's own units. */
export function toMinutes({ a, b }: MontanaCoefficients, units: MontanaUnits): MontanaCoefficients {
  if (units === 'mmh-min') return { a: a / 60, b }
  // h = a_h (t / 60)^(1-b)
  return units === 'mmh-h' ? { a: a * 60 ** (b - 1), b } : { a, b }
}

/** Depths of a table at one duration, by growing return period; empty where no law is valid. */
export function depthsAt(
  laws: readonly MontanaLaw[],
  minutes: number,
): { periodYears: number; depthMm: number }[] {
  const found = new Map<number, MontanaLaw>()
  for (const law of laws) {
    if (minutes < law.fromMin || minutes > law.toMin) continue
    const other = found.get(law.periodYears)
    // Where one range ends and the next begins, the shorter durations' law decides.
    if (other === undefined || law.fromMin < other.fromMin) found.set(law.periodYears, law)
  }
  return [...found.values()]
    .map((law) => ({ periodYears: law.periodYears, depthMm: montanaDepthMm(law, minutes) }))
    .sort((one, other) => one.periodYears - other.periodYears)
}

/** How rare a depth is by a table, which is never extended. */
export type ReturnPeriod =
  /** There is no depth. */
  | { kind: 'missing' }
  | { kind: 'outside' }
  | { kind: 'below'; years: number }
  | { kind: 'above'; years: number }
  /** `years` lies in [from, to]; the three are equal where the depth is that of a line of the table. */
  | { kind: 'between'; years: number; from: number; to: number }

/** Depths that differ by less than this part are one depth: what is left of adding a storm up. */
const SAME_DEPTH = 1e-6

/** Return period of a depth in mm (NaN: none is known) within `minutes`, linear in ln T between the depths of the table. */
export function returnPeriod(laws: readonly MontanaLaw[], minutes: number, depthMm: number): ReturnPeriod {
  if (Number.isNaN(depthMm)) return { kind: 'missing' }
  const depths = depthsAt(laws, minutes)
  if (depths.length === 0 || !Number.isFinite(depthMm)) return { kind: 'outside' }
  const exact = depths.find((line) => Math.abs(line.depthMm - depthMm) <= SAME_DEPTH * line.depthMm)
  if (exact) {
    const { periodYears: years } = exact
    return { kind: 'between', years, from: years, to: years }
  }
  if (depthMm < depths[0].depthMm) return { kind: 'below', years: depths[0].periodYears }
  const k = depths.findIndex((line) => line.depthMm > depthMm)
  if (k < 0) return { kind: 'above', years: depths[depths.length - 1].periodYears }
  const [low, high] = [depths[k - 1], depths[k]]
  const share = (depthMm - low.depthMm) / (high.depthMm - low.depthMm)
  const years = Math.exp(
    Math.log(low.periodYears) + share * (Math.log(high.periodYears) - Math.log(low.periodYears)),
  )
  return { kind: 'between', years, from: low.periodYears, to: high.periodYears }
}

const number = (value: number) => String(value).replace('.', ',')
const years = (value: number) => `${number(value)}\u00a0${value < 2 ? 'an' : 'ans'}`

/**
 * "10 à 20 ans", "plus de 100 ans", "hors du tableau".
 * @param atLeast part of the window has no value, so that the depth and its period are lower bounds
 */
export function returnPeriodFr(period: ReturnPeriod, atLeast = false): string {
  if (atLeast && period.kind === 'below') return 'période inconnue'
  if (atLeast && period.kind === 'between') return `au moins ${years(period.from)}`
  switch (period.kind) {
    case 'missing':
      return 'sans donnée'
    case 'outside':
      return 'hors du tableau'
    case 'below':
      return `moins de ${years(period.years)}`
    case 'above':
      return `plus de ${years(period.years)}`
    case 'between':
      return period.from === period.to ? years(period.to) : `${number(period.from)} à ${years(period.to)}`
  }
}

/** A law that cannot be: which of the given ones, what of it, and why, in French. */
export interface LawIssue {
  index: number
  field: 'period' | 'a' | 'b' | 'range'
  messageFr: string
}

/** Shortest and longest duration that a table may state, min (Météo-France: 6 min to 8 days). */
export const MIN_DURATION_MIN = 1
export const MAX_DURATION_MIN = 11_520
const MAX_PERIOD_YEARS = 10_000
/** Depths of an hour outside these are other units, not rain, mm. */
const HOUR_MM = { min: 0.5, max: 500 } as const

/** Everything that forbids using the laws together. Empty when they are a table. */
export function lawIssues(laws: readonly MontanaLaw[]): LawIssue[] {
  const issues = laws.flatMap(ownIssues)
  return issues.length > 0 ? issues : [...overlaps(laws), ...crossings(laws)]
}

function ownIssues(law: MontanaLaw, index: number): LawIssue[] {
  const { periodYears, fromMin, toMin, a, b } = law
  const issues: LawIssue[] = []
  const say = (field: LawIssue['field'], messageFr: string) => issues.push({ index, field, messageFr })
  if (!(periodYears > 0 && periodYears <= MAX_PERIOD_YEARS))
    say('period', `la période de retour vaut ${number(periodYears)} : donner des années, de 0,1 à 10000.`)
  if (b < 0)
    say(
      'b',
      `b vaut ${number(b)} : il est ici positif (h = a t^(1-b)). Si le tableau écrit i = a t^b, changer son signe.`,
    )
  else if (!(b > 0 && b < 1))
    say('b', `b vaut ${number(b)} : il doit être entre 0 et 1, sinon la hauteur ne croît plus avec la durée.`)
  if (!(a > 0)) say('a', `a vaut ${number(a)} : il doit être positif.`)
  if (!(fromMin >= MIN_DURATION_MIN && toMin <= MAX_DURATION_MIN && fromMin < toMin))
    say(
      'range',
      `la plage de durées ${number(fromMin)}–${number(toMin)} min est impossible : début avant fin, de 1 min à 8 jours.`,
    )
  const hourMm = montanaDepthMm(law, 60)
  if (issues.length === 0 && !(hourMm >= HOUR_MM.min && hourMm <= HOUR_MM.max))
    say(
      'a',
      `a = ${number(a)} et b = ${number(b)} font ${number(Math.round(hourMm * 10) / 10)} mm en une heure : ` +
        'ce n’est pas l’unité annoncée. Vérifier si i est en mm/min ou en mm/h, et t en minutes ou en heures.',
    )
  return issues
}

function overlaps(laws: readonly MontanaLaw[]): LawIssue[] {
  return laws.flatMap((law, index) => {
    const other = laws.findIndex(
      (earlier, k) =>
        k < index &&
        earlier.periodYears === law.periodYears &&
        Math.max(earlier.fromMin, law.fromMin) < Math.min(earlier.toMin, law.toMin),
    )
    if (other < 0) return []
    const range = `${number(laws[other].fromMin)}–${number(laws[other].toMin)} min`
    return [
      {
        index,
        field: 'range',
        messageFr: `la plage ${number(law.fromMin)}–${number(law.toMin)} min recouvre ${range}, déjà donnée pour ${years(law.periodYears)}.`,
      } as const,
    ]
  })
}

/** A rarer depth must be a larger one at every duration; laws are monotonic, so the ends of ranges tell. */
function crossings(laws: readonly MontanaLaw[]): LawIssue[] {
  const ends = [...new Set(laws.flatMap(({ fromMin, toMin }) => [fromMin, toMin]))]
  const issues = new Map<number, LawIssue>()
  laws.forEach((law, index) => {
    for (const more of laws) {
      if (more.periodYears >= law.periodYears || issues.has(index)) continue
      const at = ends.find(
        (t) =>
          t >= Math.max(law.fromMin, more.fromMin) &&
          t <= Math.min(law.toMin, more.toMin) &&
          // One duration alone is where two ranges meet.
          Math.max(law.fromMin, more.fromMin) < Math.min(law.toMin, more.toMin) &&
          montanaDepthMm(law, t) <= montanaDepthMm(more, t),
      )
      if (at === undefined) continue
      const mm = (one: MontanaLaw) => number(Math.round(montanaDepthMm(one, at) * 10) / 10)
      issues.set(index, {
        index,
        field: 'a',
        messageFr:
          `${mm(law)} mm en ${number(at)} min pour ${years(law.periodYears)}, pas plus que ${mm(more)} mm pour ` +
          `${years(more.periodYears)} : coefficients échangés ou d’unités différentes.`,
      })
    }
  })
  return [...issues.values()]
}

/** Depths that grow by more than this times the square root of the ratio of their periods are no climate's. */
const MOST_GROWTH = 1.5
/** Depths of two laws that meet differ by less than this ratio. */
const MOST_JUMP = 1.5
/** More say nothing new: one slip makes many. */
const MOST_REMARKS = 4

/**
 * What laws that can be used together say of each other that rain hardly does, in French: lines in units of their own
 * whose depths alone are still possible.
 */
export function lawRemarks(laws: readonly MontanaLaw[]): string[] {
  const remarks = new Set<string>()
  for (const law of laws)
    for (const other of laws) {
      if (law.periodYears === other.periodYears) {
        if (law.toMin === other.fromMin) for (const remark of jumpRemarks(law, other)) remarks.add(remark)
      } else if (law.periodYears < other.periodYears)
        for (const remark of growthRemarks(law, other)) remarks.add(remark)
    }
  return [...remarks].slice(0, MOST_REMARKS)
}

const UNITS_ASKED_FR = 'À vérifier : tous les coefficients sont-ils dans les mêmes unités ?'
const mmFr = (depthMm: number) => `${number(Math.round(depthMm * 10) / 10)} mm`

function jumpRemarks(law: MontanaLaw, next: MontanaLaw): string[] {
  const [one, other] = [law, next].map((own) => montanaDepthMm(own, law.toMin))
  if (Math.max(one / other, other / one) < MOST_JUMP) return []
  return [
    `Pour ${years(law.periodYears)}, les deux plages qui se touchent à ${number(law.toMin)} min donnent ` +
      `${mmFr(one)} et ${mmFr(other)}. ${UNITS_ASKED_FR}`,
  ]
}

function growthRemarks(law: MontanaLaw, rarer: MontanaLaw): string[] {
  // Below a year several events count, and depths may begin near 0.
  if (law.periodYears < 1) return []
  const [from, to] = [Math.max(law.fromMin, rarer.fromMin), Math.min(law.toMin, rarer.toMin)]
  const most = MOST_GROWTH * Math.sqrt(rarer.periodYears / law.periodYears)
  const at = [from, to].find(
    (minutes) => from < to && montanaDepthMm(rarer, minutes) > most * montanaDepthMm(law, minutes),
  )
  if (at === undefined) return []
  return [
    `De ${years(law.periodYears)} à ${years(rarer.periodYears)}, la hauteur en ${number(at)} min passe de ` +
      `${mmFr(montanaDepthMm(law, at))} à ${mmFr(montanaDepthMm(rarer, at))}. ${UNITS_ASKED_FR}`,
  ]
}
