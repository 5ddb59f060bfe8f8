import { basename, resolve } from 'node:path'
import type { InpResult } from '@radx/formats/inp/read'
import { compareRuns } from '../networks/model/compare.ts'
import { driftWarning } from '../networks/model/drift.ts'
import { inletsCsv } from '../networks/model/inlets-table.ts'
import { loadModel } from '../networks/model/load.ts'
import { checkStep, type StepCheck, stepWarning } from '../networks/model/quarter-step.ts'
import { swmmReport } from '../networks/model/report/report.ts'
import { type Progress, type Simulated, simulate } from '../networks/model/simulate.ts'
import { steppingOf } from '../networks/model/stepping.ts'
import {
  checkBehind,
  OtherMethod,
  type SurchargeCheck,
  surchargeNote,
  surchargeWarning,
} from '../networks/model/surcharge.ts'
import {
  balanceOf,
  json,
  linksCsv,
  measuresCsv,
  nodesCsv,
  Series,
  subcatchmentsCsv,
  unknownNames,
} from '../networks/model/tables.ts'
import { UsageError } from './command.ts'
import { readTheirs } from './sewer/theirs.ts'
import { writeTogether } from './sewer/write.ts'

export interface SewerRunOptions {
  network: string
  out: string
  /** Nodes, links and subcatchments whose series are written. */
  series: string[]
  /** Longest step, s; 5 by default. */
  maxStepS?: number
  /** Steps of 1 s where no other were asked for. */
  fine?: boolean
  /** The implicit scheme; so it is too where a longest step is given. */
  implicit?: boolean
  /** Leaves rain and runoff aside. */
  hydraulicsOnly?: boolean
  /** Leaves the other SURCHARGE_METHOD untried. */
  oneMethod?: boolean
  /** Runs it once more at a quarter of its step. */
  quarterStep?: boolean
  /** A report or result file of EPA SWMM to set beside the run. */
  compare?: string
  /** Puts another rain into the model, and tells what there is to tell of it. */
  rain?: (model: InpResult) => Promise<string[]> | string[]
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  onWarning?: (text: string) => void
}

export interface SewerRunDone {
  summary: string
  /** Tables beside another result, where one was asked for. */
  comparison: string | null
  stopped: Simulated['stopped']
}

const LOSSES_KEPT =
  "ce que les bassins perdent par évaporation et infiltration n'est pas calculé par le schéma implicite : leur eau y reste."

/**
 * Runs a model from file to files. Nothing appears in `out` before everything is written; a run that is interrupted, or
 * fails on its way, leaves what it has.
 * @throws FormatError, UsageError, RadxError
 */
export async function runSewer(options: SewerRunOptions): Promise<SewerRunDone> {
  const { network: path, out } = options
  const open = async () => {
    const model = await loadModel(path, options.hydraulicsOnly !== true)
    model.warnings.push(...((await options.rain?.(model)) ?? []))
    return model
  }
  const model = await open()
  const { units, warnings } = model
  for (const warning of warnings) options.onWarning?.(warning)
  const theirs = options.compare ? await readTheirs(resolve(options.compare), model) : null
  refuseUnknown(unknownNames(options.series, model))
  const { fine, maxStepS, implicit } = steppingOf(options)
  const warn = (warning: string) => {
    warnings.push(warning)
    options.onWarning?.(warning)
  }
  if (implicit && model.network.climate) warn(`${basename(path)} : ${LOSSES_KEPT}`)
  const series = new Series(options.series, units)
  const beginMs = Date.now()
  const { hydraulicsOnly } = options
  const otherMethod = new OtherMethod({ network: path, hydraulicsOnly, maxStepS, implicit })
  const run = await simulate(model, {
    maxStepS,
    implicit,
    signal: options.signal,
    onProgress: options.onProgress,
    onReport: (sewer, runoff) => series.take(sewer, runoff),
    onSurcharge: options.oneMethod || options.rain ? undefined : () => otherMethod.surcharged(),
  })
  const { sewer, runoff, inlets, peaks } = run
  const surchargeMethod = options.oneMethod
    ? null
    : options.rain
      ? await checkBehind(run, open, { implicit, signal: options.signal })
      : await otherMethod.compare(run, options.signal)
  const quarterStep = options.quarterStep ? await checkStep(run, path, { ...options, implicit }) : null
  for (const warning of doubtsOf(run, surchargeMethod, quarterStep)) warn(warning)

  const files: Record<string, string> = {
    'links.csv': linksCsv(sewer, peaks, units),
    'nodes.csv': nodesCsv(sewer, peaks, units),
    'balance.json': json(balanceOf(sewer, runoff, inlets)),
    'run.json': json({
      ...accountOf(run),
      maxStepS: sewer.longestStepS,
      peaksOverS: sewer.peaksOverS,
      scheme: implicit ? 'implicit' : 'explicit',
      ...(sewer.drift ? { driftM3: sewer.drift() } : {}),
      fine,
      network: basename(path),
      ...(surchargeMethod ? { surchargeMethod } : {}),
      ...(quarterStep ? { quarterStep } : {}),
      units: {
        flow: units.flow,
        length: units.lengthName,
        velocity: `${units.lengthName}/s`,
        volume: units.volumeName,
      },
      warnings,
    }),
    [`${basename(path).replace(/\.inp$/i, '')}.rpt`]: swmmReport(
      model,
      run,
      { beginMs, endMs: Date.now() },
      surchargeMethod ? surchargeNote(surchargeMethod) : [],
    ),
  }
  if (options.series.length > 0) files['series.csv'] = series.csv()
  if (runoff && runoff.subcatchments.length > 0) {
    files['subcatchments.csv'] = subcatchmentsCsv(runoff, units)
    Object.assign(files, fileOf('lids.csv', measuresCsv(runoff, units)))
  }
  Object.assign(files, fileOf('inlets.csv', inletsCsv(sewer, inlets, units)))
  const comparison = theirs && compareRuns(theirs, run, units)
  if (comparison) Object.assign(files, comparison.files)
  await writeTogether(out, files)
  return { summary: summaryOf(run, out), comparison: comparison?.text ?? null, stopped: run.stopped }
}

function summaryOf({ sewer, runoff, wallSeconds }: Simulated, out: string): string {
  const { nodes, links } = sewer.network
  const catchments =
    runoff && runoff.subcatchments.length > 0 ? `${runoff.subcatchments.length} bassins versants, ` : ''
  return (
    `${catchments}${nodes.length} nœuds, ${links.length} liens, ${Math.round(sewer.timeS)} s calculées en ` +
    `${wallSeconds.toLocaleString('fr-FR', { maximumFractionDigits: 2 })} s (${sewer.steps} pas d’au plus ${sewer.longestStepS.toLocaleString('fr-FR')} s). Résultats dans ${out}.`
  )
}

export const endedEarly = ({ reason, message }: NonNullable<SewerRunDone['stopped']>): string =>
  reason === 'interrupted'
    ? 'Interrompu : ce qui était calculé est écrit.'
    : `${message} Ce qui était calculé est écrit.`

/** What is told of how far a run can be trusted. */
function doubtsOf({ sewer }: Simulated, surcharge: SurchargeCheck | null, step: StepCheck | null): string[] {
  const told = [surcharge && surchargeWarning(surcharge), step && stepWarning(step), driftWarning(sewer)]
  return told.filter((text) => text !== null)
}

/** A file by its name; none where there is nothing to write. */
const fileOf = (name: string, text: string | null) => (text === null ? {} : { [name]: text })

/** What a run took. */
const accountOf = ({ sewer, runoff, wallSeconds, stopped }: Simulated) => ({
  wallSeconds,
  simulatedSeconds: sewer.timeS,
  steps: sewer.steps,
  rejectedSteps: sewer.rejectedSteps,
  ...sewer.counts,
  runoffSteps: runoff?.steps ?? 0,
  complete: stopped === null,
  ...(stopped ? { stopped } : {}),
})

function refuseUnknown(names: string[]): void {
  if (names.length > 0)
    throw new UsageError(
      `--series : ${names.map((name) => `« ${name} »`).join(', ')} : ni nœud, ni lien, ni bassin versant de ce fichier.`,
    )
}
