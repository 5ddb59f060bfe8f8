/** Ways to look at the network: a path between two junctions, junctions, or links. */
export const ANALYSES = ['path', 'point', 'link'] as const
export type Analysis = (typeof ANALYSES)[number]

export interface SewerSelection {
  analysis: Analysis
  /** Names of junctions, or of links in the link analysis, in the order of their choice. */
  names: readonly string[]
}

/** How many names an analysis takes: the two ends of a path; a single link beside a reference. */
export function limitOf(analysis: Analysis, hasReference: boolean): number {
  if (analysis === 'path') return 2
  return analysis === 'link' && hasReference ? 1 : Number.POSITIVE_INFINITY
}

/** Adds a name; one that is there already, or one too many, changes nothing. */
export function select(selection: SewerSelection, name: string, hasReference = false): SewerSelection {
  const { analysis, names } = selection
  if (names.includes(name) || names.length >= limitOf(analysis, hasReference)) return selection
  return { analysis, names: [...names, name] }
}

/** Takes the last name away, and with it the path that it closed. */
export const reset = ({ analysis, names }: SewerSelection): SewerSelection => ({
  analysis,
  names: names.slice(0, -1),
})

/** Another analysis starts without a selection. */
export const changeAnalysis = (selection: SewerSelection, analysis: Analysis): SewerSelection =>
  analysis === selection.analysis ? selection : { analysis, names: [] }

const TYPE = 'analyse'
const NAME = 'objet'
/** An address longer than this is no longer passed on whole. */
const ADDRESS_NAMES = 40

export function readSelection(params: URLSearchParams): SewerSelection {
  const asked = params.get(TYPE)
  const analysis = ANALYSES.find((type) => type === asked) ?? 'path'
  return { analysis, names: [...new Set(params.getAll(NAME))].slice(0, ADDRESS_NAMES) }
}

export function writeSelection(
  before: URLSearchParams,
  { analysis, names }: SewerSelection,
): URLSearchParams {
  const params = new URLSearchParams(before)
  params.delete(NAME)
  if (analysis === 'path') params.delete(TYPE)
  else params.set(TYPE, analysis)
  for (const name of names) params.append(NAME, name)
  return params
}
