import type { VirtualParams } from '@radx/contracts/simulation'
import { chicago, doubleTriangle, StormError } from './design-storms.ts'
import { depthsAt, type MontanaLaw, montanaDepthMm } from './montana.ts'

/** What a person chooses of a design storm by return period; durations in minutes. */
export interface DesignChoice {
  kind: 'chicago' | 'desbordes' | 'uniform'
  periodYears: number
  durationMin: number
  /** Chicago: length of its blocks. */
  stepMin: number
  /** Chicago, Desbordes: place of the peak as a share of the duration. */
  peak: number
  /** Desbordes: the intense part and its own return period. */
  intenseMin: number
  intenseYears: number
  /** Minutes that the simulation goes on after the rain. */
  calmAfter: number
}

/** A design storm as a virtual rain holds it. */
export type DesignStorm = {
  [S in 'chicago' | 'double' | 'uniform']: { shape: S; param: VirtualParams[S] }
}['chicago' | 'double' | 'uniform'] & {
  /** Table and periods, in French. */
  sourceFr: string
  /** What the table does not vouch for, in French. */
  remarksFr: string[]
}

/** Stronger rain is a slip (a law carried far below its durations), mm/h. */
export const MAX_RATE_MM_H = 3000

const fr = (value: number) => String(Math.round(value * 100) / 100).replace('.', ',')
const yearsFr = (value: number) => `${fr(value)}\u00a0${value < 2 ? 'an' : 'ans'}`

/** Return periods of a table, growing. */
export const periodsOf = (laws: readonly MontanaLaw[]): number[] =>
  [...new Set(laws.map(({ periodYears }) => periodYears))].sort((x, y) => x - y)

/**
 * The law of a period that is valid at a duration; where two ranges meet, that of the shorter durations.
 * @throws StormError naming `field`
 */
function lawAt(laws: readonly MontanaLaw[], periodYears: number, minutes: number, field: string): MontanaLaw {
  const own = laws.filter((law) => law.periodYears === periodYears).sort((x, y) => x.fromMin - y.fromMin)
  const found = own.find(({ fromMin, toMin }) => minutes >= fromMin && minutes <= toMin)
  if (found) return found
  const ranges = own.map(({ fromMin, toMin }) => `de ${fr(fromMin)} à ${fr(toMin)} min`)
  throw new StormError(
    field,
    own.length === 0
      ? `le tableau n’a pas de période de ${yearsFr(periodYears)}.`
      : `pour ${yearsFr(periodYears)}, le tableau vaut ${ranges.join(' et ')} : ${fr(minutes)} min est en dehors.`,
  )
}

/**
 * A design storm of a table of return periods: Chicago (Keifer and Chu 1957), Desbordes' double triangle (1974), or
 * one intensity. Depths are those of the table over the durations asked for, never of a law beyond its range.
 * @throws StormError for what cannot be, naming the field of the choice
 */
export function designStorm(
  { name, laws }: { name: string; laws: readonly MontanaLaw[] },
  choice: DesignChoice,
): DesignStorm {
  const { kind, periodYears, durationMin, stepMin, peak, calmAfter } = choice
  if (!(calmAfter > 0))
    throw new StormError('calmAfter', 'donner une attente positive, en minutes, après la pluie.')
  const law = lawAt(laws, periodYears, durationMin, 'durationMin')
  const sourceFr = `${name}, ${yearsFr(periodYears)}`
  if (kind === 'uniform') {
    const iMax = (montanaDepthMm(law, durationMin) * 60) / durationMin
    checkRate(iMax)
    return {
      shape: 'uniform',
      param: { duration: durationMin, iMax, calmAfter },
      sourceFr,
      remarksFr: [],
    }
  }
  if (kind === 'desbordes') return desbordes(laws, law, choice, name)
  if (!Number.isInteger(stepMin))
    throw new StormError(
      'stepMin',
      'la simulation prend une valeur par minute : donner un pas de minutes entières.',
    )
  if (!(peak > 0 && peak < 1))
    throw new StormError('peak', 'donner la place de la pointe entre 0 et 1, par exemple 0,4.')
  const { ratesMmH } = atField(() => chicago(law, { durationMin, stepMin, peak }))
  const { a, b } = law
  const iMax = ratesMmH.reduce((most, rate) => Math.max(most, rate), 0)
  checkRate(iMax)
  return {
    shape: 'chicago',
    param: { a, b, duration: durationMin, step: stepMin, peak, iMax, calmAfter },
    sourceFr,
    remarksFr: chicagoRemarks(laws, law, choice),
  }
}

/** One law makes the whole Chicago storm, also within durations for which the table says nothing, or something else. */
function chicagoRemarks(laws: readonly MontanaLaw[], law: MontanaLaw, choice: DesignChoice): string[] {
  const { stepMin, periodYears } = choice
  if (stepMin >= law.fromMin) return []
  const other = depthsAt(laws, stepMin).find((line) => line.periodYears === periodYears)
  const peakMm = montanaDepthMm(law, stepMin)
  return [
    `La pointe prolonge la loi de ${fr(law.fromMin)} à ${fr(law.toMin)}\u00a0min jusqu’à ${fr(stepMin)}\u00a0min` +
      (other && other.depthMm !== peakMm
        ? ` : ${fr(peakMm)}\u00a0mm, où le tableau donne ${fr(other.depthMm)}\u00a0mm.`
        : ', où le tableau ne dit rien.'),
  ]
}

function desbordes(
  laws: readonly MontanaLaw[],
  total: MontanaLaw,
  choice: DesignChoice,
  name: string,
): DesignStorm {
  const { periodYears, durationMin, peak, intenseMin, intenseYears, calmAfter } = choice
  const intense = lawAt(laws, intenseYears, intenseMin, 'intenseMin')
  const drawn = atField(() => doubleTriangle({ total, intense }, { totalMin: durationMin, intenseMin, peak }))
  if (!(drawn.t2 > 0))
    throw new StormError(
      'peak',
      'la période intense commencerait avec la pluie : rapprocher la pointe de 0,5.',
    )
  checkRate(drawn.iMax)
  const same = intenseYears === periodYears
  return {
    shape: 'double',
    param: { ...drawn, calmAfter },
    sourceFr: same
      ? `${name}, ${yearsFr(periodYears)}`
      : `${name}, ${yearsFr(periodYears)}, partie intense ${yearsFr(intenseYears)}`,
    remarksFr: [],
  }
}

const FIELD_OF: Record<string, keyof DesignChoice> = {
  duration: 'durationMin',
  total: 'durationMin',
  intense: 'intenseMin',
  step: 'stepMin',
}

/** What `make` refuses, named by the fields of a choice. */
function atField<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof StormError)) throw error
    throw new StormError(FIELD_OF[error.field] ?? error.field, error.message)
  }
}

function checkRate(rateMmH: number): void {
  if (rateMmH > MAX_RATE_MM_H)
    throw new StormError(
      'stepMin',
      `la pointe serait de ${fr(rateMmH)} mm/h : allonger le pas, ${MAX_RATE_MM_H} mm/h au plus.`,
    )
}
