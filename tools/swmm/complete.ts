// Whole models beside EPA SWMM's reports: `npx node tools/swmm/complete.ts DIR [NAME...]` prints the table of docs/validation.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadModel } from '../../apps/server/src/networks/model/load.ts'
import { simulate } from '../../apps/server/src/networks/model/simulate.ts'
import { nash } from './bed-model.ts'
import { quantile } from './compare.ts'
import { runEpa, withOptions } from './epa.ts'
import { reportTable } from './report-table.ts'

/** How a whole model compares with EPA SWMM's, in %. */
export interface CompleteResult {
  name: string
  /** Of subcatchments, runoff as both sum it and its peak; of measures, each column of what comes in. */
  volumes: number[]
  peaks: number[]
  measures: number[]
  /** Links above 2 % of the largest flow: distance of the peak to the interval between EPA SWMM's own and quarter step, where both agree within 2 %. */
  open: number[]
  full: number[]
  /** Links on which EPA SWMM's two steps differ by more. */
  disagree: number
  worst: string
  /** Nash and Sutcliffe's of the flows of ten links and the depths of ten nodes. */
  nash: number[]
  flooded: number
  outfall: number
  seconds: number
}

const AGREE = 0.02
const MAIN = 0.02
const PLACES = 10

/** Share by which a value is off, beyond what the other's last digit hides. */
function off(value: number, theirs: number, digit: number): number {
  const beyond = Math.max(0, Math.abs(value - theirs) - digit / 2)
  return beyond === 0 ? 0 : (100 * beyond) / Math.max(1e-12, Math.abs(theirs))
}

export async function runCompleteModel(dir: string, name: string): Promise<CompleteResult> {
  const path = join(dir, name, `${name}.inp`)
  const text = readFileSync(path, 'latin1')
  const native = readFileSync(join(dir, name, `${name}.rpt`), 'latin1')
  const model = await loadModel(path, true)
  const { units, network } = model
  const own = await runEpa(text)
  const quarter = await runEpa(withOptions(text, quarterOf(text)))
  const nodesOf = places(own.nodes, (k) => own.nodeSeries(k, 'depth'))
  const linksOf = places(own.links, (k) => own.linkSeries(k, 'flow'))
  const found = { nodes: nodesOf.map(() => [] as number[]), links: linksOf.map(() => [] as number[]) }
  let next = 0
  const started = process.cpuUsage()
  const run = await simulate(model, {
    onReport: (sewer) => {
      if (sewer.timeS < own.timesS[next] - 1e-3) return
      next++
      for (const [i, k] of nodesOf.entries())
        found.nodes[i].push(sewer.depths[sewer.nodeIndex(own.nodes[k])] / units.length)
      for (const [i, k] of linksOf.entries())
        found.links[i].push(sewer.flows[sewer.linkIndex(own.links[k])] / units.flowFactor)
    },
  })
  const used = process.cpuUsage(started)
  const { sewer, runoff, peaks } = run
  const depthM = units.us ? 0.0254 : 0.001
  const table = reportTable(native, 'Subcatchment Runoff Summary')
  const lids = reportTable(native, 'LID Performance Summary', 2)
  const result: CompleteResult = {
    ...{ name, volumes: [], peaks: [], measures: [], open: [], full: [], disagree: 0, worst: '', nash: [] },
    flooded: 0,
    outfall: 0,
    seconds: (used.user + used.system) / 1e6,
  }
  for (const { input, totals, measures } of runoff?.subcatchments ?? []) {
    const row = table.get(input.name)
    if (!row) continue
    // A volume of no rain is none.
    result.volumes.push(off(totals.rated / input.areaM2 / depthM, row[6], 0.01))
    result.peaks.push(off(totals.peak / units.flowFactor, row[8], 0.01))
    for (const { design, totals: of } of measures) {
      const lid = lids.get(`${input.name} ${design.name}`)
      if (!lid || !(lid[0] > 0)) continue
      for (const [k, value] of [of.inflow, of.evaporation, of.seepage, of.outflow, of.drain].entries())
        result.measures.push((100 * Math.max(0, Math.abs(value / depthM - lid[k]) - 0.005)) / lid[0])
    }
  }
  const a = linkPeaks(native)
  const b = linkPeaks(quarter.report)
  const largest = Math.max(0, ...[...a.values()].map(({ flow }) => flow))
  let worst = 0
  for (const [link, { flow, digit, isFull }] of a) {
    if (!(flow > MAIN * largest)) continue
    const other = b.get(link)?.flow ?? flow
    if (Math.abs(other / flow - 1) > AGREE) {
      result.disagree++
      continue
    }
    const value = peaks.link.maxAbsFlow[sewer.linkIndex(link)] / units.flowFactor
    const [low, high] = [Math.min(flow, other), Math.max(flow, other)]
    const error = value < low ? off(value, low, digit) : value > high ? off(value, high, digit) : 0
    ;(isFull ? result.full : result.open).push(error)
    if (error > worst) {
      worst = error
      result.worst = `${link} ${flow} | ${other} | ${value.toPrecision(4)}`
    }
  }
  result.nash = [
    ...linksOf.map((k, i) => nash([...own.linkSeries(k, 'flow')], found.links[i])),
    ...nodesOf.map((k, i) => nash([...own.nodeSeries(k, 'depth')], found.nodes[i])),
  ].filter((value) => !Number.isNaN(value))
  const totals = sewer.totals()
  const inflow = totals.inflow + totals.initial
  const volume = (label: string) => continuity(native, label)
  for (const [key, label] of [
    ['flooded', 'Flooding Loss'],
    ['outfall', 'External Outflow'],
  ] as const) {
    const theirs = volume(label) * (units.us ? 43_560 * 0.3048 ** 3 : 10_000)
    const digit = 0.001 * (units.us ? 43_560 * 0.3048 ** 3 : 10_000)
    const beyond = Math.max(0, Math.abs(totals[key] - theirs) - digit / 2)
    result[key] = network.links.length > 0 ? (100 * beyond) / Math.max(theirs, 0.001 * inflow, 1e-9) : 0
  }
  return result
}

/** Routing by quarters of the file's step. */
function quarterOf(text: string): Record<string, string | number> {
  const word = /^\s*ROUTING_STEP\s+(\S+)/im.exec(text)?.[1] ?? '20'
  const seconds = word.includes(':')
    ? word.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
    : Number(word)
  const factor = Number(/^\s*VARIABLE_STEP\s+(\S+)/im.exec(text)?.[1] ?? 0.75)
  return { ROUTING_STEP: seconds / 4, VARIABLE_STEP: factor / 4 }
}

/** Those with the largest values, none under 2 % of the largest. */
function places(names: string[], series: (k: number) => Float32Array): number[] {
  const all = names.map((_, k) => ({
    k,
    most: series(k).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  }))
  all.sort((a, b) => b.most - a.most)
  return all.flatMap(({ k, most }, i) => (i < PLACES && most > MAIN * all[0].most ? [k] : []))
}

/** Largest flows of a report, what their last digit is worth, and whether the link was full. */
function linkPeaks(report: string): Map<string, { flow: number; digit: number; isFull: boolean }> {
  const lines = report.split(/\r?\n/)
  const found = new Map<string, { flow: number; digit: number; isFull: boolean }>()
  let dashes = 0
  for (
    let i = lines.findIndex((line) => line.includes('Link Flow Summary'));
    i >= 0 && i < lines.length;
    i++
  ) {
    if (/^\s*-{10,}\s*$/.test(lines[i])) dashes++
    else if (dashes === 2) {
      const words = lines[i].trim().split(/\s+/)
      if (words.length < 4) break
      const decimals = words[2].split('.')[1]?.length ?? 0
      const depth = Number(words[words.length - 1])
      found.set(words[0], {
        flow: Number(words[2]),
        digit: 10 ** -decimals,
        isFull: words.length > 6 && depth >= 1,
      })
    }
  }
  return found
}

/** First column (acre-feet or hectare-m) of a line of the routing's balance. */
function continuity(report: string, label: string): number {
  const from = report.indexOf('Flow Routing Continuity')
  if (from < 0) return 0
  return Number(new RegExp(`${label} \\.+\\s+(-?[\\d.]+)`).exec(report.slice(from))?.[1] ?? 0)
}

const three = (values: number[]): string =>
  values.length === 0 ? '' : [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(2)).join(' / ')

if (process.argv[1] === import.meta.filename) {
  const [dir, ...names] = process.argv.slice(2)
  const all = names.length > 0 ? names : readdirSync(resolve(dir)).filter((name) => !name.includes('.'))
  for (const name of all) {
    const r = await runCompleteModel(resolve(dir), name)
    const least = r.nash.length > 0 ? Math.min(...r.nash).toFixed(4) : ''
    console.log(
      `| ${name} | ${three(r.volumes)} | ${three(r.peaks)} | ${three(r.measures)} | ${three(r.open)} | ${three(r.full)} | ${r.disagree} | ${least} | ${r.flooded.toFixed(2)} | ${r.outfall.toFixed(2)} | ${r.seconds.toFixed(1)} s ${r.worst}`,
    )
  }
}
