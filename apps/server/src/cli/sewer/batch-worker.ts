import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { RadxError } from '@radx/contracts'
import { applyForcing, readForcing } from '../../networks/model/forcing.ts'
import { loadModel } from '../../networks/model/load.ts'
import { simulate } from '../../networks/model/simulate.ts'
import { steppingOf } from '../../networks/model/stepping.ts'
import {
  balanceOf,
  json,
  linksCsv,
  measuresCsv,
  nodesCsv,
  subcatchmentsCsv,
} from '../../networks/model/tables.ts'
import type { BatchAnswer, BatchTask } from './batch.ts'
import { writeTogether } from './write.ts'

/** One run of a batch: its files, and its line of the table. */
async function run(task: BatchTask): Promise<BatchAnswer> {
  const model = await loadModel(task.network, task.hydraulicsOnly !== true)
  const { network, units, warnings } = model
  const file = basename(task.file)
  applyForcing(readForcing(read(task.file), file, network.options.startEpochS), file, model)
  const { fine, maxStepS, implicit } = steppingOf(task)
  const done = await simulate(model, { maxStepS, implicit })
  const { sewer, runoff, inlets, peaks, statistics, wallSeconds, stopped } = done
  const balance = balanceOf(sewer, runoff, inlets)
  const measures = runoff && measuresCsv(runoff, units)
  await writeTogether(task.out, {
    'links.csv': linksCsv(sewer, peaks, units),
    'nodes.csv': nodesCsv(sewer, peaks, units),
    'balance.json': json(balance),
    'run.json': json({
      wallSeconds,
      simulatedSeconds: sewer.timeS,
      maxStepS: sewer.longestStepS,
      fine,
      complete: !stopped,
      forcing: file,
    }),
    ...(runoff && runoff.subcatchments.length > 0
      ? { 'subcatchments.csv': subcatchmentsCsv(runoff, units) }
      : {}),
    ...(measures ? { 'lids.csv': measures } : {}),
  })
  if (stopped) return { ok: false, message: stopped.message }
  const totals = runoff?.totals()
  const areaM2 = runoff?.subcatchments.reduce((sum, { input }) => sum + input.areaM2, 0) ?? 0
  return {
    ok: true,
    warnings,
    row: {
      rain: totals && areaM2 > 0 ? totals.rain / areaM2 / (units.us ? 0.0254 : 0.001) : 0,
      runoff_volume: totals ? (totals.runoff + totals.drains) / units.volume : 0,
      outfall_volume: balance.outfallM3 / units.volume,
      flooded_volume: balance.floodedM3 / units.volume,
      flooded_nodes: peaks.node.floodVolume.filter((volume) => volume > 0).length,
      max_outfall_flow: statistics.maxOutfall / units.flowFactor,
      surcharged_links: peaks.link.surchargedS.filter((seconds) => seconds > 0).length,
      balance_error: balance.relativeError,
      wall_s: wallSeconds,
    },
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new RadxError('batch.file', 400, `${path} : le fichier ne peut pas être lu. Vérifiez le chemin.`)
  }
}

run(workerData as BatchTask)
  .catch((error): BatchAnswer => {
    if (error instanceof RadxError) return { ok: false, message: error.message }
    throw error
  })
  .then((answer) => parentPort?.postMessage(answer))
