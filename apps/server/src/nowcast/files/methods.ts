import type { RainFrame } from '@radx/motion/field'
import { forecastLk, forecastSprog } from '@radx/motion/nowcast/sprog'
import type { NoForecast, NowcastStart } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { motionKernel } from '../kernel.ts'

export const METHODS = ['persistence', 'lk', 'sprog', 'steps'] as const
export type Method = (typeof METHODS)[number]

export interface EnsembleOptions {
  members: number
  seed: number
  kmPerCell: number
}

/** A forecast at each lead, mm/h; of an ensemble its mean, and the members `[lead][member]`. */
export interface Forecast {
  fields: Float32Array[]
  members?: Float32Array[][]
}

/** Why there is none, in French. */
export const REASONS: Record<NoForecast, string> = {
  'few-frames': 'il faut au moins deux images pour suivre la pluie',
  gap: 'plus de 15 min entre les dernières images : la pluie ne peut pas être suivie',
  missing: 'la dernière image ne contient aucune mesure',
  dry: 'aucune pluie dans la dernière image',
  'no-motion': 'aucun déplacement de la pluie n’a pu être mesuré',
}

/** @param leadsMin minutes, rising */
export function forecastBy(
  method: Method,
  start: NowcastStart,
  leadsMin: readonly number[],
  ensemble: EnsembleOptions,
): Forecast {
  if (method === 'lk') return { fields: forecastLk(start, leadsMin) }
  if (method === 'sprog') return { fields: forecastSprog(start, leadsMin, motionKernel('fft')) }
  if (method === 'steps') return ensembleOf(start, leadsMin, ensemble)
  const last: RainFrame = start.frames[start.frames.length - 1]
  return { fields: leadsMin.map(() => last.rateMmH) }
}

function ensembleOf(start: NowcastStart, leadsMin: readonly number[], options: EnsembleOptions): Forecast {
  const members: Float32Array[][] = leadsMin.map(() => [])
  forecastSteps(start, { ...options, leadsMin, wasm: motionKernel('fft') }, (member, lead, rates) => {
    members[lead][member] = rates
  })
  return { fields: members.map(meanOf), members }
}

/** Mean of the members; missing where one of them is. */
function meanOf(members: Float32Array[]): Float32Array {
  const out = new Float32Array(members[0].length)
  for (const member of members) for (let i = 0; i < out.length; i++) out[i] += member[i] / members.length
  return out
}
