import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
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
  const packed: Uint8Array[][] = leadsMin.map(() => [])
  const cells = start.shape.nrows * start.shape.ncols
  const fields = leadsMin.map(() => new Float32Array(cells))
  forecastSteps(start, { ...options, leadsMin, wasm: motionKernel('fft') }, (member, lead, rates) => {
    const mean = fields[lead]
    // Missing where one of them is.
    for (let i = 0; i < cells; i++) mean[i] += rates[i] / options.members
    packed[lead][member] = pack(encodeRates(rates))
  })
  return { fields, members: (lead) => packed[lead].map((member) => decodeRates(unpack(member))) }
}

// Members of two hours would fill hundreds of MB; most of their cells are dry, and they shrink to a tenth.
const pack = (codes: Uint16Array): Uint8Array =>
  zstdCompressSync(codes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })

function unpack(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, byteLength } = zstdDecompressSync(bytes)
  return new Uint16Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
