import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { z } from 'zod'

const FRENCH = z.locales.fr().localeError

/** What a value may be at least or at most, in words. */
function limitWords(side: 'moins' | 'plus', { origin, limit, inclusive }: Limit): string {
  const exact = inclusive === false ? (side === 'plus' ? 'moins de' : 'plus de') : null
  const number = formatNumberFr(Number(limit), 6, true)
  const counted = (noun: string) =>
    exact === null ? `${countFr(Number(limit), noun)} au ${side}` : `${exact} ${countFr(Number(limit), noun)}`
  if (origin === 'string') return counted('caractère')
  if (origin === 'array' || origin === 'set') return counted('élément')
  if (origin === 'file') return counted('octet')
  return exact === null ? `${number} au ${side} est attendu` : `une valeur de ${exact} ${number} est attendue`
}
interface Limit {
  origin: string
  limit: number | bigint
  inclusive?: boolean
}

/** What a value has to be; all of them masculine. */
const EXPECTED: Record<string, string> = {
  string: 'un texte',
  number: 'un nombre',
  int: 'un nombre entier',
  boolean: 'un booléen (true ou false)',
  array: 'un tableau',
  object: 'un objet',
}

/** Everything a person reads is French, in words: zod's own wording has comparison signs and regular expressions. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_big')
    return limitWords('plus', { ...issue, limit: issue.maximum } as unknown as Limit)
  if (issue.code === 'too_small')
    return limitWords('moins', { ...issue, limit: issue.minimum } as unknown as Limit)
  if (issue.code === 'invalid_format' && issue.format === 'regex') return 'ce texte n’a pas la forme attendue'
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'une valeur est attendue'
  if (issue.code === 'invalid_type' && issue.expected === 'number' && Number.isNaN(issue.input))
    return 'un nombre est attendu'
  if (issue.code === 'invalid_type' && EXPECTED[issue.expected])
    return `${EXPECTED[issue.expected]} est attendu`
  if (issue.code === 'invalid_value' && issue.values.length > 1)
    return `une de ces valeurs est attendue : ${issue.values.join(', ')}`
  const told = FRENCH(issue)
  return typeof told === 'string' ? told : told?.message
}

z.config({ localeError: inWords })

/** A zod issue as a person reads it: the field's path such as `products[0].bounds.ul`, and a French text. */
export function describeIssue(issue: z.core.$ZodIssue): { field: string; message: string } {
  return { field: fieldName(issue.path), message: issue.message }
}

/** `['products', 0, 'steps']` is `products[0].steps`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) =>
      /^\d+$/.test(String(part)) ? `[${String(part)}]` : `${i === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}
