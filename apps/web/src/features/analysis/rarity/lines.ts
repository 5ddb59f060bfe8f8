import type { MontanaTableBody } from '@radx/contracts/storms'
import { readNumber } from '@radx/rainfall/storms/delimited'
import { lawIssues, type MontanaLaw, toMinutes } from '@radx/rainfall/storms/montana'
import { stormTexts as texts } from '../../../texts/storms.ts'

/** A line of a table as it is typed. */
export interface LineText {
  periodYears: string
  a: string
  b: string
  fromMin: string
  toMin: string
}
export type LineField = keyof LineText

export const LINE_FIELDS: readonly LineField[] = ['periodYears', 'a', 'b', 'fromMin', 'toMin']

/** What is wrong with one field of one line. */
export interface LineIssue {
  line: number
  field: LineField
  message: string
}

const FIELD_OF = { period: 'periodYears', a: 'a', b: 'b', range: 'toMin' } as const

/** A line after the others: its range is theirs. */
export const nextLine = (lines: readonly LineText[]): LineText => ({
  periodYears: '',
  a: '',
  b: '',
  fromMin: lines.at(-1)?.fromMin ?? '6',
  toMin: lines.at(-1)?.toMin ?? '360',
})

/** The laws of typed lines in the units said, and what forbids using them, field by field. */
export function readLines(
  lines: readonly LineText[],
  units: MontanaTableBody['units'],
): { laws: MontanaLaw[]; issues: LineIssue[] } {
  const laws = lines.map(
    (line) =>
      Object.fromEntries(
        LINE_FIELDS.map((field) => [field, readNumber(line[field].trim())]),
      ) as unknown as MontanaLaw,
  )
  const issues: LineIssue[] = laws.flatMap((law, line) =>
    LINE_FIELDS.filter((field) => Number.isNaN(law[field])).map((field) => ({
      line,
      field,
      message: texts.notNumber,
    })),
  )
  // Lines that are whole are looked at whatever the others lack.
  const whole = laws.map((_, line) => line).filter((line) => issues.every((issue) => issue.line !== line))
  const inMinutes = whole.map((line) => ({ ...laws[line], ...toMinutes(laws[line], units) }))
  const wrong = lawIssues(inMinutes).map(({ index, field, messageFr }) => ({
    line: whole[index],
    field: FIELD_OF[field],
    message: messageFr,
  }))
  return { laws, issues: [...issues, ...wrong].sort((one, other) => one.line - other.line) }
}
