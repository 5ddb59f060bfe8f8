import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readInp } from '@radx/formats/inp/read'
import { createPeaks, PEAKS_OVER_S, stepObserved } from '@radx/hydrology/sewer/results/peaks'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { explicitSewerWasm, sewerWasm } from '@radx/hydrology/testing/kernels'

/** How a network's results compare with EPA SWMM's. Shares, not percent. */
export interface BedResult {
  name: string
  ended: boolean
  why?: string
  nativeS: number
  seconds: number
  balance: number
  /** Links above 2 % of the largest flow; those of them where EPA SWMM's own and quarter step agree within 2 % follow. */
  main: number
  /** Distance of each peak to the interval between EPA SWMM's own and quarter step, by links never full and full. */
  open: number[]
  full: number[]
  worst: { link: string; own: number; quarter: number; value: number }[]
  nash: number[]
  nashOf: { name: string; value: number }[]
  flooded: number
  outfall: number
  steps: number
  rejected: number
  nestedFailed?: number
  evaluations?: number
}

export interface BedOptions {
  maxStepS?: number
  scheme?: 'implicit' | 'explicit'
}

const AGREE = 0.02
const MAIN = 0.02

/** Runs one network of the bed as `radx sewer` does. */
export async function runBedModel(dir: string, name: string, options: BedOptions = {}): Promise<BedResult> {
  const folder = join(dir, name)
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  const { network, units } = readInp(readFileSync(join(folder, `${name}.inp`)), {
    file: name,
    readFile: () => null,
  })
  // Processor time, as EPA SWMM's is: others may be at work on the machine.
  const started = process.cpuUsage()
  const sewer = createSewer(network, {
    maxStepS: options.maxStepS,
    scheme: options.scheme,
    wasm: options.scheme === 'explicit' ? explicitSewerWasm() : sewerWasm(),
  })
  const peaks = createPeaks(sewer)
  const wanted = seriesOf(text('series.csv'))
  const found = wanted.columns.map(() => [] as number[])
  const at = wanted.columns.map(({ kind, name: item }) => {
    if (kind === 'link_flow') {
      const i = sewer.linkIndex(item)
      return () => sewer.flows[i] / units.flowFactor
    }
    const i = sewer.nodeIndex(item)
    if (kind === 'node_depth') return () => sewer.depths[i] / units.length
    return () => Number.NaN
  })
  const end = network.options.durationS
  let next = 0
  const take = () => {
    while (next < wanted.minutes.length && wanted.minutes[next] * 60 <= sewer.timeS + 1e-6) {
      found.forEach((values, i) => {
        values.push(at[i]())
      })
      next++
    }
  }
  while (sewer.timeS < end - 1e-6) {
    const until = next < wanted.minutes.length ? wanted.minutes[next] * 60 : end
    const most = Math.max(PEAKS_OVER_S, sewer.nextStepS)
    stepObserved(sewer, Math.min(most, end - sewer.timeS, Math.max(1e-3, until - sewer.timeS)), peaks.observe)
    take()
  }
  const used = process.cpuUsage(started)
  const seconds = (used.user + used.system) / 1e6

  const totals = sewer.totals()
  const summary = JSON.parse(text('summary.json'))
  const own = linksOf(text('links.csv'))
  const quarter = linksOf(text('links-quarter.csv'))
  const largest = Math.max(...[...own.values()].map((link) => link.flow))
  const open: number[] = []
  const full: number[] = []
  const worst: (BedResult['worst'][number] & { error: number })[] = []
  let main = 0
  for (const [link, a] of own) {
    const b = quarter.get(link) ?? a
    if (a.flow <= MAIN * largest) continue
    main++
    const i = sewer.linkIndex(link)
    const value = peaks.link.maxAbsFlow[i] / units.flowFactor
    const low = Math.min(a.flow, b.flow)
    const high = Math.max(a.flow, b.flow)
    const error = value < low ? 1 - value / low : value > high ? value / high - 1 : 0
    if (Math.abs(b.flow / a.flow - 1) > AGREE) continue
    ;(a.ratio >= 0.999 ? full : open).push(error)
    worst.push({ link, own: a.flow, quarter: b.flow, value, error })
  }
  worst.sort((a, b) => b.error - a.error)
  const nashOf = wanted.columns.flatMap(({ kind, name: item }, i) => {
    const value = nash(wanted.values[i], found[i])
    return kind === 'outfall_inflow' || Number.isNaN(value) ? [] : [{ name: `${kind}:${item}`, value }]
  })
  const volumes = volumeOff(summary, totals, units.volume)
  const counts = sewer as unknown as { counts?: { nestedFailed: number; evaluations: number } }
  return {
    name,
    ended: true,
    nativeS: 0,
    seconds,
    balance: Math.abs(totals.error) / Math.max(1e-9, Math.abs(totals.inflow) + totals.initial),
    main,
    open,
    full,
    worst: worst.slice(0, 12).map(({ error: _, ...rest }) => rest),
    nash: nashOf.map(({ value }) => value),
    nashOf,
    ...volumes,
    steps: sewer.steps,
    rejected: sewer.rejectedSteps,
    ...counts.counts,
  }
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => cellsOf(line))

/** Cells of a line; names may stand in quotes. */
const cellsOf = (line: string) =>
  [...line.trim().matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .slice(0, -1)
    .map((m) => m[1].replace(/^"|"$/g, '').replaceAll('""', '"'))

function linksOf(text: string): Map<string, { flow: number; ratio: number }> {
  return new Map(
    rowsOf(text)
      .slice(1)
      .map(([name, , flow, ratio]) => [name, { flow: Number(flow), ratio: Number(ratio) }]),
  )
}

function seriesOf(text: string) {
  const [head, ...lines] = rowsOf(text)
  const columns = head.slice(1).map((title) => {
    const [kind, ...name] = title.split(':')
    return { kind, name: name.join(':') }
  })
  return {
    columns,
    minutes: lines.map((cells) => Number(cells[0])),
    values: columns.map((_, i) => lines.map((cells) => Number(cells[i + 1]))),
  }
}

/** Nash and Sutcliffe 1970; NaN for series that do not vary. */
export function nash(reference: number[], values: number[]): number {
  const n = Math.min(reference.length, values.length)
  let mean = 0
  for (let i = 0; i < n; i++) mean += reference[i] / n
  let off = 0
  let spread = 0
  for (let i = 0; i < n; i++) {
    off += (values[i] - reference[i]) ** 2
    spread += (reference[i] - mean) ** 2
  }
  return spread > 1e-12 * (1 + mean * mean) * n ? 1 - off / spread : Number.NaN
}

/** Differences of flooded and outfall volume as shares of what came in. */
function volumeOff(
  summary: Record<string, number>,
  totals: { flooded: number; outfall: number; backflow?: number },
  unit: number,
) {
  // Million gallons or litres: `units.volume` is that of the report where the file is in those.
  const report = summary.volume_unit as unknown as string
  const m3 = /gal/i.test(report) ? 3785.411784 : /ltr|lit/i.test(report) ? 1000 : unit
  const whole = Math.max(1e-9, summary.inflow_volume * m3)
  const off = (ours: number, theirs: number) =>
    Math.abs(theirs * m3) > 0.001 * whole ? ours / (theirs * m3) - 1 : (ours - theirs * m3) / whole
  return {
    flooded: off(totals.flooded, summary.flooding_volume),
    outfall: off(totals.outfall + (totals.backflow ?? 0), summary.outfall_volume),
  }
}
