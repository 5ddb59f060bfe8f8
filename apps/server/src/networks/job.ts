import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type NetworkRain,
  type NetworkRunResult,
  RadxError,
  type RunoffModel,
  type SewerNetwork,
} from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { formatClock, formatSpan } from '@radx/locale/duration'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { openFileStore } from '../store/file-store.ts'
import { openVersion, type VersionFiles } from './files.ts'
import { driftWarning } from './model/drift.ts'
import { applyForcing, rainEverywhere, readForcing } from './model/forcing.ts'
import { geometryOf } from './model/geometry.ts'
import { writeGeoPackage } from './model/geopackage.ts'
import { inletsCsv } from './model/inlets-table.ts'
import { MeasuresFile } from './model/measures-file.ts'
import { OutFile } from './model/out-file.ts'
import { peaksOf } from './model/peaks.ts'
import { placedIn } from './model/place.ts'
import { swmmReport } from './model/report/report.ts'
import { type Simulated, setDuration, simulate } from './model/simulate.ts'
import { checkBehind, type SurchargeCheck, surchargeNote, surchargeWarning } from './model/surcharge.ts'
import { balanceOf, json, linksCsv, measuresCsv, nodesCsv, subcatchmentsCsv } from './model/tables.ts'
import { NETWORK_OUTPUT } from './outputs.ts'
import { NETWORK } from './queries.ts'
import { radarOnPlaces, radarSeries, withArchive } from './radar-rain.ts'

/** A run as the queue keeps it. */
export interface NetworkInput extends VersionFiles {
  title: string
  /** System that positions are in; null or missing: a plane of the file. */
  crs?: string | null
  rain: NetworkRain
  implicit: boolean
  hours?: number
}

/** More than this is no file to hand to other tools; reporting times are then further apart. */
const OUT_MAX_BYTES = 512 * 2 ** 20

/** A whole model as a job: rain, runoff and network of one version. */
export const networkJob: JobKind<NetworkInput, NetworkRunResult> = {
  name: NETWORK,
  perUser: 4,
  timeoutSeconds: 6 * 3600,
  memoryMb: 3_000,
  visibility: 'owner',
  keep: 'runs',
  radarPeriod: ({ rain }) =>
    rain.kind === 'radar' ? { start: new Date(rain.start), end: new Date(rain.end) } : null,
  run: runNetwork,
}

async function runNetwork(context: JobContext<NetworkInput>): Promise<NetworkRunResult> {
  const { input, config, outDir, signal, progress, log } = context
  progress(0, 100, 'Lecture du réseau')
  const begun = Date.now()
  /** The version under the rain of the run, and what is to be told of it. */
  const open = async () => {
    const model = await openVersion(openFileStore(config), input, input.rain.kind !== 'none')
    if (input.hours !== undefined) setDuration(model, input.hours * 3600)
    const told = await applyRain(input.rain, model, context)
    signal.throwIfAborted()
    return { model, told }
  }
  const { model, told } = await open()
  const warnings = [...model.warnings, ...told]
  const { network } = model
  const stepS = recordingStep(network, model.runoff?.subcatchments.length ?? 0)
  if (stepS > network.options.reportStepS)
    warnings.push(
      `Les courbes et le fichier .out ont une valeur toutes les ${formatSpan(stepS)} au lieu de ${formatSpan(network.options.reportStepS)} : à chaque pas de rapport du réseau, ils seraient trop volumineux.`,
    )
  const { run, periods } = await simulateTo(join(outDir, NETWORK_OUTPUT.out), model, stepS, context)
  if (run.stopped?.reason === 'interrupted') signal.throwIfAborted()
  if (run.stopped) throw new RadxError('network.stopped', 422, run.stopped.message)
  const surcharge = await checkBehind(run, async () => (await open()).model, {
    implicit: input.implicit,
    signal,
    onProgress: ({ share }) =>
      progress(
        70 + Math.round(290 * share) / 10,
        100,
        `Comparaison avec SURCHARGE_METHOD ${network.options.surchargeMethod === 'SLOT' ? 'EXTRAN' : 'SLOT'}`,
      ),
  })
  signal.throwIfAborted()
  for (const warning of [surchargeWarning(surcharge), driftWarning(run.sewer)])
    if (warning) warnings.push(warning)
  const result = resultOf(run, model.runoff, { stepS, periods, warnings })
  progress(99, 100, 'Écriture des résultats')
  writeFiles(outDir, model, run, { beginMs: begun, endMs: Date.now() }, result, surcharge, input.crs ?? null)
  for (const warning of warnings.slice(0, 100)) log(`Attention : ${warning}`)
  log(
    `${run.sewer.steps} pas en ${run.wallSeconds.toFixed(1)} s, erreur de bilan ${result.relativeError.toExponential(1)}`,
  )
  return result
}

/** Puts a rain into a model, in place of its own. @returns what is to be told of it, French */
async function applyRain(
  rain: NetworkRain,
  model: InpResult,
  { config, log, input }: JobContext<NetworkInput>,
): Promise<string[]> {
  const { runoff, network } = model
  if (rain.kind === 'own' || rain.kind === 'none') return []
  if (rain.kind === 'csv') {
    applyForcing(readForcing(rain.text, rain.name, network.options.startEpochS), rain.name, model)
    return []
  }
  if (!runoff || runoff.gages.length === 0)
    throw new RadxError(
      'network.noGage',
      422,
      'Ce réseau n’a aucun pluviographe : une autre pluie ne tombe nulle part. Choisissez la sienne, ou un CSV d’apports aux nœuds.',
    )
  const { told, lastsS } = await fall(rain, runoff, model, { config, log }, input.crs ?? null)
  return lastsS > network.options.durationS + 1
    ? [
        ...told,
        `La pluie dure ${formatSpan(lastsS)}, le calcul ${formatSpan(network.options.durationS)} : la suite ne tombe pas. Allongez la durée simulée.`,
      ]
    : told
}

/** Lets a series or radar rain fall, each on all gages or on each subcatchment where it lies. */
async function fall(
  rain: Extract<NetworkRain, { kind: 'series' | 'radar' }>,
  runoff: RunoffModel,
  model: InpResult,
  { config, log }: Pick<JobContext<NetworkInput>, 'config' | 'log'>,
  crs: string | null,
): Promise<{ told: string[]; lastsS: number }> {
  if (rain.kind === 'radar' && rain.catchment === undefined) {
    const told = await withArchive(config, (store) => radarOnPlaces(rain, model, crs, store, log))
    return { told, lastsS: (Date.parse(rain.end) - Date.parse(rain.start)) / 1000 }
  }
  const { stepS, mmH, told } =
    rain.kind === 'series' ? { ...rain, told: [] } : await radarSeries(rain, config, log)
  rainEverywhere(runoff, stepS, mmH)
  return { told, lastsS: mmH.length * stepS }
}

/** The file's reporting step, or the smallest multiple of it with which the binary file is not too large, s. */
function recordingStep({ options, nodes, links }: SewerNetwork, catchments: number): number {
  const periods = Math.max(1, (options.durationS - options.reportStartS) / options.reportStepS)
  const bytes = periods * (8 + 4 * (catchments * 8 + nodes.length * 6 + links.length * 5 + 15))
  return options.reportStepS * Math.max(1, Math.ceil(bytes / OUT_MAX_BYTES))
}

async function simulateTo(
  path: string,
  model: InpResult,
  stepS: number,
  { input, signal, progress }: JobContext<NetworkInput>,
): Promise<{ run: Simulated; periods: number }> {
  const { startEpochS, reportStartS } = model.network.options
  let out: OutFile | null = null
  let measures: MeasuresFile | null = null
  let periods = 0
  try {
    const run = await simulate(model, {
      implicit: input.implicit,
      signal,
      onBegin: (sewer, runoff) => {
        out = new OutFile(path, sewer, startEpochS, stepS, reportStartS, runoff)
        if (runoff?.subcatchments.some((one) => one.measures.length > 0))
          measures = new MeasuresFile(join(dirname(path), NETWORK_OUTPUT.measures), runoff)
      },
      onStep: (_, dtS) => out?.observe(dtS),
      onReport: ({ timeS }) => {
        // The first period ends a step after reports begin.
        if (timeS < reportStartS + (periods + 1) * stepS - 1e-6) return
        const endS = reportStartS + ++periods * stepS
        out?.period(endS)
        measures?.period(endS)
      },
      onProgress: ({ share, timeS, leftS }) =>
        progress(
          Math.round(700 * share) / 10,
          100,
          `${formatClock(timeS)} simulées${leftS === null ? '' : `, encore ${formatSpan(Math.ceil(leftS))}`}`,
        ),
    })
    ;(out as OutFile | null)?.finish()
    return { run, periods }
  } finally {
    ;(out as OutFile | null)?.close()
    ;(measures as MeasuresFile | null)?.close()
  }
}

function resultOf(
  { sewer, runoff, inlets, peaks, wallSeconds }: Simulated,
  model: RunoffModel | null,
  more: Pick<NetworkRunResult, 'stepS' | 'periods' | 'warnings'>,
): NetworkRunResult {
  const { initialM3, inflowM3, outfallM3, floodedM3, lossM3, storedM3, relativeError } = balanceOf(
    sewer,
    null,
    inlets,
  )
  const totals = runoff?.totals()
  const areaM2 = model?.subcatchments.reduce((sum, one) => sum + one.areaM2, 0) ?? 0
  return {
    simulatedS: sewer.timeS,
    wallSeconds,
    steps: sewer.steps,
    rainMm: totals && areaM2 > 0 ? (1000 * totals.rain) / areaM2 : null,
    runoffM3: totals ? totals.runoff + totals.drains : null,
    initialM3,
    inflowM3,
    outfallM3,
    floodedM3,
    lossM3,
    storedM3,
    driftM3: sewer.drift?.() ?? 0,
    relativeError,
    floodedNodes: peaks.node.floodVolume.filter((volume) => volume > 1e-6).length,
    surchargedLinks: peaks.link.surchargedS.filter((seconds) => seconds > 0).length,
    ...more,
  }
}

function writeFiles(
  dir: string,
  model: InpResult,
  run: Simulated,
  analysed: { beginMs: number; endMs: number },
  result: NetworkRunResult,
  surcharge: SurchargeCheck,
  crs: string | null,
): void {
  const { sewer, runoff, inlets, peaks } = run
  const { units } = model
  const figures = peaksOf(run)
  const write = (name: string, text: string | null) => text !== null && writeFileSync(join(dir, name), text)
  write(NETWORK_OUTPUT.report, swmmReport(model, run, analysed, surchargeNote(surcharge)))
  write(NETWORK_OUTPUT.links, linksCsv(sewer, peaks, units))
  write(NETWORK_OUTPUT.nodes, nodesCsv(sewer, peaks, units))
  if (runoff && runoff.subcatchments.length > 0) {
    write(NETWORK_OUTPUT.subcatchments, subcatchmentsCsv(runoff, units))
    write(NETWORK_OUTPUT.lids, measuresCsv(runoff, units))
  }
  write(NETWORK_OUTPUT.inlets, inletsCsv(sewer, inlets, units))
  write(NETWORK_OUTPUT.balance, json(balanceOf(sewer, runoff, inlets)))
  write(NETWORK_OUTPUT.run, json({ ...result, surchargeMethod: surcharge }))
  write(NETWORK_OUTPUT.peaks, JSON.stringify(figures))
  const places = geometryOf(model)
  writeGeoPackage(
    join(dir, NETWORK_OUTPUT.geopackage),
    crs === null ? places : placedIn(places, crs),
    figures,
  )
}
