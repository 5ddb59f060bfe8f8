import { VIRTUAL_MAX_MIN } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import { MAX_RATE_MM_H } from '@radx/rainfall/storms/design-choice'

const upTo = (most: number, unit: string) => `au plus ${formatNumberFr(most)} ${unit}`

/**
 * What of a triangle's parameters cannot be, in words, by the field; minutes and mm/h. A 0 is no mistake: there is no
 * curve yet.
 */
export function triangleIssues(
  shape: 'simple' | 'double',
  param: Readonly<Record<string, number>>,
): Partial<Record<string, string>> {
  const issues: Partial<Record<string, string>> = {}
  for (const [name, value] of Object.entries(param)) {
    const isRate = name === 'iMax' || name === 'i2'
    const most = isRate ? MAX_RATE_MM_H : VIRTUAL_MAX_MIN
    if (value > most) issues[name] = upTo(most, isRate ? 'mm/h' : 'min, sept jours')
    else if (value < 0) issues[name] = 'au moins 0'
  }
  if (Object.keys(issues).length > 0) return issues
  if (shape === 'simple' && param.t > param.d) issues.t = 'la pointe vient avant la fin : t au plus égal à d'
  const length = shape === 'simple' ? param.d : Math.max(param.t3, param.t1 + param.t2)
  if (length + param.calmAfter + LEAD_MIN > VIRTUAL_MAX_MIN)
    issues.calmAfter = `pluie et attente : ${upTo(VIRTUAL_MAX_MIN, 'min ensemble')}`
  return issues
}

/** Dry minutes before every virtual rain. */
const LEAD_MIN = 15
