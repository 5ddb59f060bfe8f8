import { plainHeading } from './delimited.ts'
import { MONTANA_UNITS, type MontanaUnits } from './montana.ts'

/** How units are shown, and asked for. */
export const UNITS_FR: Record<MontanaUnits, string> = {
  'mm-min': 'i en mm/min, t en min (h = a t^(1-b) en mm)',
  'mmh-min': 'i en mm/h, t en min',
  'mmh-h': 'i en mm/h, t en heures',
}

/** The unit of the intensity alone, which leaves open whether t is in minutes or hours. */
type IntensityUnit = 'mm/min' | 'mm/h'

const INTENSITY: Record<MontanaUnits, IntensityUnit> = {
  'mm-min': 'mm/min',
  'mmh-min': 'mm/h',
  'mmh-h': 'mm/h',
}

/** What a heading or a cell says of the intensity; undefined where it says nothing. */
export function intensityUnit(text: string): IntensityUnit | undefined {
  const plain = plainHeading(text)
  if (/mm ?\/? ?mi?n/.test(plain)) return 'mm/min'
  return /mm ?\/? ?h/.test(plain) ? 'mm/h' : undefined
}

export interface StatedUnits {
  /** By the heading of `a`. */
  heading: IntensityUnit | undefined
  /** Cells of a column of units, with their lines; empty without one. */
  cells: readonly { line: number; text: string }[]
  /** By who reads the table. */
  asked: MontanaUnits | undefined
}

/**
 * Units of a table. Lines in units of their own, and places that say different things, are refused.
 * @returns the units, with what was left open, in French
 */
export function unitsFound(
  { heading, cells, asked }: StatedUnits,
  headLine: number,
): { units: MontanaUnits; remarksFr: string[] } | { line: number; column: string; messageFr: string } {
  let stated = heading
  for (const { line, text } of cells) {
    const own = intensityUnit(text)
    const column = 'unité'
    if (own === undefined)
      return { line, column, messageFr: `« ${text.slice(0, 40)} » : attendre mm/min ou mm/h.` }
    if (stated !== undefined && own !== stated)
      return {
        line,
        column,
        messageFr: `${own} après ${stated} : les unités sont mélangées. Convertir toutes les lignes, ou en faire deux tableaux.`,
      }
    stated = own
  }
  if (asked !== undefined && stated !== undefined && INTENSITY[asked] !== stated)
    return {
      line: headLine,
      column: 'a',
      messageFr: `le tableau dit i en ${stated}, la demande dit ${UNITS_FR[asked]} : n’en garder qu’une.`,
    }
  const units = asked ?? MONTANA_UNITS.find((name) => INTENSITY[name] === stated) ?? 'mm-min'
  const isOpen = asked === undefined && stated === 'mm/h'
  return {
    units,
    remarksFr: isOpen
      ? [
          'le tableau dit i en mm/h sans dire si t est en minutes ou en heures : lu en minutes (mmh-min). À vérifier.',
        ]
      : [],
  }
}
