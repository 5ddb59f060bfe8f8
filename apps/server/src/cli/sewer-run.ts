import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { RadxError, type SewerNetwork } from '@radx/contracts'
import { INP_MAX_BYTES } from '@radx/formats/inp/lines'
import { readInp } from '@radx/formats/inp/read'
import type { InpUnits } from '@radx/formats/inp/units'
import { createPeaks, type SewerPeaks } from '@radx/hydrology/sewer/results/peaks'
import { createSewer } from '@radx/hydrology/sewer/solver'
import type { Sewer } from '@radx/hydrology/sewer/types'
import { sewerWasm } from '../simulation/run/kernel.ts'
import { UsageError } from './command.ts'

export interface SewerRunOptions {
  network: string
  out: string
  /** Nodes and links whose series are written. */
  series: string[]
  /** Longest step, s; 1 as close as it goes, else 4 by default. */
  maxStepS?: number
  /**
   * As close to EPA SWMM as it goes: every pipe stores by the depth in its middle too. By default where that takes a
   * few seconds and no step was asked for.
   */
  fine?: boolean
  signal?: AbortSignal
  onProgress?: (share: number, timeS: number) => void
  onWarning?: (text: string) => void
}

/** Junctions times simulated seconds that a fine run computes in some ten seconds. */
const FINE_UP_TO = 2e7

/** The event loop hears Ctrl-C this often. */
const BREATHE_MS = 100

/**
 * Runs a network from file to files. Nothing appears in `out` before everything is written.
 * @returns null when it was interrupted
 * @throws FormatError, SewerStepError, UsageError
 */
export async function runSewer(options: SewerRunOptions): Promise<{ summary: string } | null> {
  const { network: path, out, signal } = options
  const bytes = await readNetwork(path)
  const { network, units, warnings } = readInp(bytes, {
    file: basename(path),
    readFile: (name) => readSide(resolve(dirname(path), name.replaceAll('\\', '/'))),
  })
  for (const warning of warnings) options.onWarning?.(warning)

  const started = performance.now()
  const { fine, maxStepS } = steppingOf(network, options)
  const sewer = createSewer(network, {
    maxStepS,
    ...(fine ? { middleDepthFromM: 0 } : {}),
    wasm: sewerWasm(),
  })
  const peaks = createPeaks(sewer)
  const series = createSeries(sewer, units, options.series)
  const { durationS, reportStepS, reportStartS } = network.options
  let nextReport = reportStartS
  let breathed = performance.now()
  const report = () => {
    while (nextReport <= sewer.timeS + 1e-6) {
      series.take()
      nextReport += reportStepS
    }
  }
  report()
  while (sewer.timeS < durationS - 1e-6) {
    const dt = Math.min(maxStepS, durationS - sewer.timeS, nextReport - sewer.timeS)
    sewer.step(dt)
    peaks.observe(dt)
    report()
    if (performance.now() - breathed > BREATHE_MS) {
      options.onProgress?.(sewer.timeS / durationS, sewer.timeS)
      await setImmediate()
      breathed = performance.now()
      if (signal?.aborted) return null
    }
  }
  options.onProgress?.(1, sewer.timeS)
  const wallSeconds = (performance.now() - started) / 1000

  const balance = balanceOf(sewer)
  const files: Record<string, string> = {
    'links.csv': linksCsv(sewer, peaks, units),
    'nodes.csv': nodesCsv(sewer, peaks, units),
    'balance.json': json(balance),
    'run.json': json({
      wallSeconds,
      simulatedSeconds: sewer.timeS,
      steps: sewer.steps,
      rejectedSteps: sewer.rejectedSteps,
      maxStepS,
      fine,
      network: basename(path),
      units: {
        flow: units.flow,
        length: units.lengthName,
        velocity: `${units.lengthName}/s`,
        volume: units.volumeName,
      },
      warnings,
    }),
  }
  if (options.series.length > 0) files['series.csv'] = series.csv()
  if (signal?.aborted) return null
  await writeTogether(out, files)
  return {
    summary:
      `${network.nodes.length} nœuds, ${network.links.length} liens, ${Math.round(sewer.timeS)} s calculées en ` +
      `${wallSeconds.toLocaleString('fr-FR', { maximumFractionDigits: 2 })} s (${sewer.steps} pas d’au plus ${maxStepS.toLocaleString('fr-FR')} s). Résultats dans ${out}.`,
  }
}

/** How a network is stepped through: what was asked for, else as fine as a few seconds allow. */
export function steppingOf(
  { nodes, options: { durationS } }: Pick<SewerNetwork, 'nodes' | 'options'>,
  asked: Pick<SewerRunOptions, 'fine' | 'maxStepS'>,
): { fine: boolean; maxStepS: number } {
  const fine = asked.fine ?? (asked.maxStepS === undefined && nodes.length * durationS <= FINE_UP_TO)
  return { fine, maxStepS: asked.maxStepS ?? (fine ? 1 : 4) }
}

async function readNetwork(path: string): Promise<Uint8Array> {
  const refuse = (why: string) => new RadxError('sewer.file', 400, `${path} : ${why}`)
  try {
    const info = await stat(path)
    if (!info.isFile()) throw refuse("ce n'est pas un fichier. Donnez un fichier .inp.")
    if (info.size > INP_MAX_BYTES)
      throw refuse(
        `ligne 1 : ${Math.round(info.size / 1048576)} Mo, plus que les ${INP_MAX_BYTES / 1048576} Mo acceptés. Retirez les séries et les commentaires inutiles, ou découpez le réseau.`,
      )
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refuse("le fichier n'existe pas. Vérifiez le chemin.")
    if (code === 'EACCES') throw refuse('le fichier ne peut pas être lu (droits).')
    throw error
  }
}

function readSide(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Volumes in m3; the error is what the balance lacks, relative to everything that came in or was there. */
function balanceOf(sewer: Sewer) {
  const { initial, stored, inflow, outfall, flooded, loss, error } = sewer.totals()
  return {
    initialM3: initial,
    inflowM3: inflow,
    outfallM3: outfall,
    floodedM3: flooded,
    lossM3: loss,
    storedM3: stored,
    errorM3: error,
    relativeError: Math.abs(error) / Math.max(1e-9, Math.abs(inflow) + initial),
  }
}

const csv = (header: string, rows: (string | number)[][]) =>
  `${[header, ...rows.map((row) => row.map(cell).join(','))].join('\n')}\n`
const cell = (value: string | number) =>
  typeof value === 'string' && /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value)
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function linksCsv(sewer: Sewer, { link }: SewerPeaks, units: InpUnits): string {
  return csv(
    'link,max_abs_flow,time_s,max_velocity,max_full_depth_ratio,volume,surcharged_s',
    sewer.network.links.map(({ name }, i) => [
      name,
      link.maxAbsFlow[i] / units.flowFactor,
      link.timeS[i],
      link.maxVelocity[i] / units.length,
      link.maxFullDepthRatio[i],
      link.volume[i] / units.volume,
      link.surchargedS[i],
    ]),
  )
}

function nodesCsv(sewer: Sewer, { node }: SewerPeaks, units: InpUnits): string {
  return csv(
    'node,max_depth,max_hgl,time_s,max_total_inflow,flood_volume',
    sewer.network.nodes.map(({ name }, i) => [
      name,
      node.maxDepth[i] / units.length,
      node.maxHead[i] / units.length,
      node.timeS[i],
      node.maxInflow[i] / units.flowFactor,
      node.floodVolume[i] / units.volume,
    ]),
  )
}

/** Depth, level and flooding of nodes, flow, depth and velocity of links, at the file's report times. */
function createSeries(sewer: Sewer, units: InpUnits, names: string[]) {
  const columns: { title: string; value: () => number }[] = []
  const missing: string[] = []
  for (const name of names) {
    const node = sewer.nodeIndex(name)
    const link = sewer.linkIndex(name)
    if (node < 0 && link < 0) missing.push(name)
    if (node >= 0)
      columns.push(
        { title: `${name} depth`, value: () => sewer.depths[node] / units.length },
        { title: `${name} hgl`, value: () => sewer.heads[node] / units.length },
        { title: `${name} volume`, value: () => sewer.volumes[node] / units.volume },
      )
    if (link >= 0)
      columns.push(
        { title: `${name} flow`, value: () => sewer.flows[link] / units.flowFactor },
        { title: `${name} depth`, value: () => sewer.linkDepths[link] / units.length },
        { title: `${name} velocity`, value: () => sewer.velocities[link] / units.length },
      )
  }
  if (missing.length > 0)
    throw new UsageError(
      `--series : ${missing.map((name) => `« ${name} »`).join(', ')} : ni nœud ni lien de ce réseau.`,
    )
  const rows: number[][] = []
  return {
    take() {
      if (columns.length > 0) rows.push([sewer.timeS, ...columns.map((column) => column.value())])
    },
    csv: () => csv(['time_s', ...columns.map((column) => cell(column.title))].join(','), rows),
  }
}

/** Writes beside the folder, then moves in: a reader sees whole files, the old ones or the new. */
async function writeTogether(out: string, files: Record<string, string>) {
  await mkdir(dirname(out), { recursive: true })
  const staging = await mkdtemp(`${out}.partiel-`)
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(staging, name), text)
    await mkdir(out, { recursive: true })
    for (const name of await readdir(staging)) await rename(join(staging, name), join(out, name))
    // Series of an earlier run would not belong to these results.
    if (!files['series.csv']) await rm(join(out, 'series.csv'), { force: true })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
