import { FormatError } from '@radx/contracts/errors'
import { GULLY_CODE, type LandUseClass } from '@radx/contracts/landuse'
import { measureSchema, type StoringMeasure } from '@radx/contracts/measures'
import { DRAIN_NEAREST, DRAIN_SURFACE, drainOf } from '@radx/contracts/measures-constants'
import type { SewerNetwork } from '@radx/contracts/sewer'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { MARKET } from '../land-use/market-classes.ts'
import { someOf } from './package-network.ts'

const FILE = 'measures.json'
const MOST_CODES = 500
const MOST_CODE = 32_767

const fileSchema = z
  .record(z.string().regex(/^[1-9]\d{0,4}$/, 'un code d’occupation des sols est attendu'), measureSchema)
  .refine((measures) => Object.keys(measures).length <= MOST_CODES, `${MOST_CODES} codes au plus`)

/**
 * Land-use classes with the measures of `measures.json`: what each of its codes is, and in what it differs from the default of
 * its kind. A code that has no class yet gets that of the platform's measures of the kind.
 *
 * @throws FormatError `measures.*`
 */
export function withMeasures(
  classes: readonly LandUseClass[],
  text: string,
  { waterCode }: { waterCode?: number },
): LandUseClass[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new FormatError('measures.json', `${FILE} n’est pas du JSON : ${(error as Error).message}`)
  }
  const parsed = fileSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue.path.join('.') || 'racine'
    throw new FormatError('measures.value', `${FILE} : ${where} : ${describeIssue(issue).message}.`)
  }
  const all = new Map(classes.map((entry) => [entry.code, entry]))
  for (const [key, measure] of Object.entries(parsed.data)) {
    const code = Number(key)
    if (code === GULLY_CODE || code === waterCode || code > MOST_CODE)
      throw new FormatError(
        'measures.value',
        `${FILE} : le code ${code} ne peut être un ouvrage : c’est celui des avaloirs, de l’eau permanente, ou il dépasse ${MOST_CODE}.`,
      )
    all.set(code, { ...(all.get(code) ?? classOf(code, measure)), measure })
  }
  return [...all.values()]
}

function classOf(code: number, { kind }: StoringMeasure): LandUseClass {
  const { id: _, isSelected: __, ...entry } = MARKET.find(({ measure }) => measure?.kind === kind)!
  return { ...entry, code }
}

/** Problems with the junctions that drains of measures name. */
export function checkDrains(classes: readonly LandUseClass[], { nodes }: SewerNetwork): string[] {
  const junctions = new Set(nodes.filter(({ kind }) => kind !== 'outfall').map(({ name }) => name))
  const unknown = classes.flatMap(({ measure, code }) => {
    const to = measure && drainOf(measure)
    const known = !to || to === DRAIN_NEAREST || to === DRAIN_SURFACE || junctions.has(to)
    return known ? [] : [`${to} (code ${code})`]
  })
  if (unknown.length === 0) return []
  return [
    `Des drains d’ouvrages mènent à des regards absents du réseau : ${someOf(unknown)}. Nommer un regard, ou écrire ${DRAIN_NEAREST} ou ${DRAIN_SURFACE}.`,
  ]
}
