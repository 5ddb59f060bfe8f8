import { FormatError } from '@radx/contracts'

/** Largest values of a run of EPA SWMM in the units of its file, and what it says of its own doubts. */
export interface SwmmPeaks {
  /** |flow| by link, and depth by node. */
  linkFlows: Map<string, number>
  nodeDepths: Map<string, number>
  /** Largest runoff by subcatchment, and its depth over the whole run (mm or in); result files are not asked for them. */
  runoffPeaks: Map<string, number>
  runoffDepths: Map<string, number>
  /** Links and nodes that it names as unbalanced, swinging or not converging. */
  doubtful: { links: Set<string>; nodes: Set<string> }
  /** Why the whole run is doubtful; French. */
  doubts: string[]
  /** Whether values were only looked at at reporting times. */
  sampled: boolean
}

/** Beyond this share of its inflow EPA SWMM's balance is off, and of its steps too many do not converge, %. */
const CONTINUITY_LIMIT = 2
const CONVERGENCE_LIMIT = 10
/** Flow balance of a node that is off, %, and index of a link that swings. */
const NODE_LIMIT = 5
const SWING_LIMIT = 10

/**
 * Reads a report of EPA SWMM (5.0 to 5.2), by the titles of its sections.
 * @throws FormatError when it has no depths of nodes, no flows of links and no runoff
 */
export function readSwmmReport(bytes: Uint8Array, file: string): SwmmPeaks {
  const lines = new TextDecoder('windows-1252').decode(bytes).split(/\r?\n/)
  const sections = sectionsOf(lines)
  const linkFlows = new Map<string, number>()
  const nodeDepths = new Map<string, number>()
  const doubtful = { links: new Set<string>(), nodes: new Set<string>() }
  const doubts: string[] = []
  for (const words of tableOf(sections.get('node depth summary') ?? [])) {
    // Name, type, mean, largest depth.
    const depth = Number(words[3])
    if (Number.isFinite(depth)) nodeDepths.set(words[0], depth)
  }
  for (const words of tableOf(sections.get('link flow summary') ?? [])) {
    const flow = Number(words[2])
    if (Number.isFinite(flow)) linkFlows.set(words[0], flow)
  }
  const runoffPeaks = new Map<string, number>()
  const runoffDepths = new Map<string, number>()
  for (const words of tableOf(sections.get('subcatchment runoff summary') ?? [])) {
    // The last four of every version: depth, volume, peak, coefficient.
    const [depth, , peak] = words.slice(-4).map(Number)
    if (words.length < 8 || !Number.isFinite(depth + peak)) continue
    runoffPeaks.set(words[0], peak)
    runoffDepths.set(words[0], depth)
  }
  if (nodeDepths.size + linkFlows.size + runoffPeaks.size === 0)
    throw new FormatError(
      'rpt.empty',
      `${file} : ni « Node Depth Summary », ni « Link Flow Summary », ni « Subcatchment Runoff Summary ». Donnez le rapport (.rpt) ou les résultats (.out) d'EPA SWMM.`,
    )
  const listed = (title: string) =>
    (sections.get(title) ?? []).flatMap((line) => {
      const match = /^\s*(Node|Link) (\S+) \((-?[\d.]+)%?\)/.exec(line)
      return match ? [{ kind: match[1], name: match[2], value: Number(match[3]) }] : []
    })
  for (const { name, value } of listed('highest continuity errors'))
    if (Math.abs(value) > NODE_LIMIT) doubtful.nodes.add(name)
  for (const { name, value } of listed('highest flow instability indexes'))
    if (value > SWING_LIMIT) doubtful.links.add(name)
  for (const { kind, name, value } of [
    ...listed('most frequent nonconverging nodes'),
    ...listed('most frequent nonconverging links'),
  ])
    if (value > CONVERGENCE_LIMIT) (kind === 'Node' ? doubtful.nodes : doubtful.links).add(name)
  for (const [title, what] of BALANCES) {
    const from = lines.findIndex((line) => line.includes(title))
    const continuity = from < 0 ? 0 : percentage(lines, from, 'Continuity Error (%)')
    if (Math.abs(continuity) > CONTINUITY_LIMIT)
      doubts.push(`le bilan ${what} d'EPA SWMM est faux de ${comma(continuity, 2)} %`)
  }
  const open = percentage(lines, 0, 'Not Converging')
  if (open > CONVERGENCE_LIMIT) doubts.push(`${comma(open, 1)} % de ses pas ne convergent pas`)
  return { linkFlows, nodeDepths, runoffPeaks, runoffDepths, doubtful, doubts, sampled: false }
}

/** Lines of each section by its title, in small letters. */
function sectionsOf(lines: string[]): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let current: string[] = []
  for (let i = 0; i < lines.length; i++) {
    if (/^\s*\*{5,}\s*$/.test(lines[i]) && /^\s*\*{5,}\s*$/.test(lines[i + 2] ?? '')) {
      current = []
      sections.set(lines[i + 1].trim().toLowerCase(), current)
      i += 2
    } else current.push(lines[i])
  }
  return sections
}

/** Words of the rows below a table's second line of dashes. */
function tableOf(lines: string[]): string[][] {
  const rows: string[][] = []
  let dashes = 0
  for (const line of lines) {
    if (/^\s*-{10,}\s*$/.test(line)) dashes++
    else if (dashes >= 2) {
      if (line.trim() === '') break
      rows.push(line.trim().split(/\s+/))
    }
  }
  return rows
}

/** Balances that may be off, by the titles of their parts. */
const BALANCES = [
  ['Runoff Quantity Continuity', 'du ruissellement'],
  ['Flow Routing Continuity', "de l'écoulement"],
] as const

/** The last figure of the first line from `from` on that has `word`; 0 when there is none. */
function percentage(lines: string[], from: number, word: string): number {
  const line = lines.slice(from).find((one) => one.includes(word))
  const value = Number(line?.trim().split(/\s+/).pop())
  return Number.isFinite(value) ? value : 0
}

const comma = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
