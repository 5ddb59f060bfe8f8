import { FormatError, RadxError } from '@radx/contracts'
import { readInp } from '@radx/formats/inp/read'
import { createInlets } from '@radx/hydrology/inlets/inlets'
import { createRunoff } from '@radx/hydrology/runoff/runoff'
import { createSewer } from '@radx/hydrology/sewer/solver'

/** A number in [0, below). */
export type Roll = (below: number) => number

/** Ways in which a model's file is damaged, as happens to people. */
export const DAMAGES: Record<string, (lines: string[], roll: Roll) => string[]> = {
  'cut at a line': (lines, roll) => lines.slice(0, roll(lines.length)),
  'cut within a line': (lines, roll) => {
    const at = roll(lines.length)
    return [...lines.slice(0, at), lines[at].slice(0, roll(lines[at].length + 1))]
  },
  'a section twice': (lines, roll) => {
    const [from, to] = section(lines, roll)
    return [...lines.slice(0, to), ...lines.slice(from, to), ...lines.slice(to)]
  },
  'a section missing': (lines, roll) => {
    const [from, to] = section(lines, roll)
    return [...lines.slice(0, from), ...lines.slice(to)]
  },
  'other units': (lines, roll) => {
    const units = ['CFS', 'GPM', 'MGD', 'CMS', 'LPS', 'MLD'][roll(6)]
    return lines.map((line) => (/^\s*FLOW_UNITS/i.test(line) ? `FLOW_UNITS ${units}` : line))
  },
  'names unknown': (lines, roll) => edit(lines, roll, (words) => words.with(roll(words.length), 'INCONNU')),
  'a value moved': (lines, roll) =>
    edit(lines, roll, (words) => {
      const at = roll(words.length)
      const value = ['0', '-1', '1e9', '*', '', '99:99', '0.000001'][roll(7)]
      return words.with(at, value)
    }),
  'a word missing': (lines, roll) => edit(lines, roll, (words) => words.toSpliced(roll(words.length), 1)),
  'pumps in a circle': (lines, roll) => {
    const [a, b] = [nodeOf(lines, roll), nodeOf(lines, roll)]
    return [...lines, '[PUMPS]', `PZ1 ${a} ${b} * ON`, `PZ2 ${b} ${a} * ON`]
  },
  'nodes without links': (lines) => [...lines, '[JUNCTIONS]', 'SEUL1 10 2', 'SEUL2 0 0 0 0 0'],
  'lines in another order': (lines, roll) => {
    const [from, to] = section(lines, roll)
    return [...lines.slice(0, from + 1), ...lines.slice(from + 1, to).reverse(), ...lines.slice(to)]
  },
}

function section(lines: string[], roll: Roll): [number, number] {
  const begins = lines.flatMap((line, i) => (line.startsWith('[') ? [i] : []))
  if (begins.length === 0) return [0, 0]
  const k = roll(begins.length)
  return [begins[k], begins[k + 1] ?? lines.length]
}

function edit(lines: string[], roll: Roll, change: (words: string[]) => string[]): string[] {
  const at = roll(lines.length)
  return lines.with(at, change(lines[at].trim().split(/\s+/)).join(' '))
}

function nodeOf(lines: string[], roll: Roll): string {
  const from = lines.findIndex((line) => /^\[JUNC/i.test(line))
  const names = lines.slice(from + 1, from + 200).filter((line) => /^\w/.test(line))
  return names.length > 0 ? names[roll(names.length)].split(/\s+/)[0] : 'N'
}

export type ModelOutcome = 'ran' | 'refused'

/**
 * Reads a damaged model and runs its beginning.
 * @throws Error for anything but a refusal with file and line or a run that keeps its water
 */
export function attackModel(text: string): ModelOutcome {
  try {
    const {
      network,
      runoff: model,
      inlets: streets,
    } = readInp(text, { file: 'essai.inp', runoff: true, inlets: true })
    const runoff = model && createRunoff(model, network.nodes.length)
    const sewer = createSewer(network, { maxStepS: 4 })
    const inlets = createInlets(network, streets)
    const lateral = new Float64Array(network.nodes.length)
    for (let k = 0; k < 8; k++) {
      lateral.fill(0)
      runoff?.volumesTo(sewer.timeS + 4, lateral)
      if (lateral.some((volume) => !(volume >= 0))) throw new Error('runoff is no volume')
      inlets.exchange(sewer, 4, lateral)
      sewer.step(4, lateral)
      inlets.observe(sewer)
    }
    const { error, inflow, initial } = sewer.totals()
    if (!(Math.abs(error) < 1e-8 * (Math.abs(inflow) + initial) + 1e-6))
      throw new Error(`balance off by ${error} m3`)
    if (sewer.heads.some((head) => !Number.isFinite(head))) throw new Error('a head is no number')
    return 'ran'
  } catch (error) {
    if (error instanceof FormatError && !/^essai\.inp(, ligne \d+)? : ./.test(error.message))
      throw new Error(`refusal without file and line: ${error.message}`, { cause: error })
    if (error instanceof RadxError) return 'refused'
    throw error
  }
}

/** A damaged copy of a model: one way, sometimes two. */
export function damageModel(text: string, roll: Roll): { text: string; ways: string[] } {
  const names = Object.keys(DAMAGES)
  const ways = Array.from({ length: 1 + (roll(3) === 0 ? 1 : 0) }, () => names[roll(names.length)])
  let lines = text.split(/\r?\n/)
  for (const way of ways) lines = DAMAGES[way](lines.length > 0 ? lines : [''], roll)
  return { text: lines.join('\n'), ways }
}
