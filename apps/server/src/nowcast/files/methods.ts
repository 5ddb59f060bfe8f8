import type { RainFrame } from '@radx/motion/field'
import { forecastLk, forecastSprog } from '@radx/motion/nowcast/sprog'
import type { NoForecast, NowcastStart } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { decodeRates, encodeRates } from '@radx/rainfall'
import { motionKernel } from '../../store/motion-kernel.ts'

export const METHODS = ['persistence', 'lk', 'sprog', 'sprog-trend', 'steps'] as const
export type Method = (typeof METHODS)[number]

export interface EnsembleOptions {
  members: number
  seed: number
  kmPerCell: number
}

/** A forecast at each lead, mm/h; of an ensemble its mean, and the members, kept as codes of 0.01 mm/h. */
export interface Forecast {
  fields: Float32Array[]
  /** Members at a lead, mm/h, NaN missing. */
  members?(lead: number): Float32Array[]
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
  if (method === 'sprog') return { fields: forecastSprog(start, leadsMin, { wasm: motionKernel('fft') }) }
  if (method === 'sprog-trend')
    return { fields: forecastSprog(start, leadsMin, { wasm: motionKernel('fft'), trend: true }) }
  if (method === 'steps') return ensembleOf(start, leadsMin, ensemble)
  const last: RainFrame = start.frames[start.frames.length - 1]
  return { fields: leadsMin.map(() => last.rateMmH) }
}

function ensembleOf(start: NowcastStart, leadsMin: readonly number[], options: EnsembleOptions): Forecast {
  const codes: Uint16Array[][] = leadsMin.map(() => [])
  const cells = start.shape.nrows * start.shape.ncols
  const fields = leadsMin.map(() => new Float32Array(cells))
  forecastSteps(start, { ...options, leadsMin, wasm: motionKernel('fft') }, (member, lead, rates) => {
    const mean = fields[lead]
    // Missing where one of them is.
    for (let i = 0; i < cells; i++) mean[i] += rates[i] / options.members
    codes[lead][member] = encodeRates(rates)
  })
  return { fields, members: (lead) => codes[lead].map((member) => decodeRates(member)) }
}
