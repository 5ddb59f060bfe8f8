import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RadarRainFrame, radarRain } from '@radx/hydrology/rain/rain'
import { cellsOf, decodeState, encodeState, StoredRain } from '../simulation/api.ts'
import { withEngine } from './engines.ts'
import { pack } from './parts.ts'
import { MOST_UNSEEN } from './rain.ts'
import { scoreAgainst } from './score.ts'
import { DEPTH_FILE, STATE_FILE } from './state-files.ts'
import {
  catchmentOf,
  fileOf,
  type InputOf,
  type StateResult,
  type StepContext,
  sinceEpochS,
} from './steps.ts'

/** Rain below this does not keep a town wet, mm/h. */
const WET_MM_H = 0.1

/**
 * Carries the state on to the frame with the rain that was observed since the one before. Where nothing was seen it is dry,
 * and told as missing.
 */
export async function carryState(context: StepContext, input: InputOf<'state'>): Promise<StateResult> {
  const { store, site, outDir, progress } = context
  progress(0, 2, 'Pluie observée')
  const catchment = await catchmentOf(context, input)
  const product = store.catalog.products.get(input.product)!
  const { elevation, catchment: about } = catchment
  const { cellOfModel, radarCells } = cellsOf(elevation, about.crs, product)
  const start = input.from?.issued ?? input.epoch
  const period = { product: input.product, start, end: input.issued }
  const rain = await new StoredRain(store, site.events).cellRain(period, radarCells)
  const offsetS = sinceEpochS(input, start)
  const frames = rain.frames.map((frame) => ({
    ...frame,
    fromS: frame.fromS + offsetS,
    toS: frame.toS + offsetS,
  }))
  const durationS = sinceEpochS(input, input.issued)
  const intervalS = product.frameSeconds
  const { missingShare } = radarRain(rain.frames, cellOfModel, { durationS: rain.durationS, intervalS })
  await withEngine(input.catchmentHash, catchment, async (engine) => {
    const from = input.from
      ? decodeState(await fileOf(context, input.from.job, STATE_FILE), 'état en direct')
      : engine.start()
    context.signal.throwIfAborted()
    progress(1, 2, 'État de la ville')
    const state = engine.carryOn(from, radarRain(frames, cellOfModel, { durationS, intervalS }), durationS)
    await writeFile(join(outDir, STATE_FILE), encodeState(state))
    const depthMm = engine.depths(state)
    await writeFile(join(outDir, DEPTH_FILE), pack(depthMm))
    if (missingShare <= MOST_UNSEEN) await scoreAgainst(context, input, depthMm)
  })
  const wet = rain.frames.filter(isWet)
  return {
    missingShare,
    method: rain.method,
    adjusted: rain.adjusted,
    lastWetMs: wet.length > 0 ? Date.parse(start) + 1000 * wet[wet.length - 1].toS : null,
  }
}

const isWet = ({ ratesMmH }: RadarRainFrame): boolean => Array.from(ratesMmH).some((rate) => rate >= WET_MM_H)
