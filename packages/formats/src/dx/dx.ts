import { FormatError } from '@radx/contracts/errors'

/** A local sweep of the German weather service (DX, uncompressed bytes): 1 degree by 1 km, dBZ. */
export interface DxSweep {
  nrays: number
  nbins: number
  azimuthDeg: Float64Array
  /** `[ray * nbins + bin]`; -32.5 dBZ is no echo, as written. */
  dbz: Float32Array
}

const NBINS = 128
const NEW_RAY = 0x2000
const ZEROS = 0x1000
const DATA = 0x0fff

/** @throws FormatError `dx.damaged` */
export function readDx(bytes: Uint8Array): DxSweep {
  const damaged = (what: string) =>
    new FormatError(
      'dx.damaged',
      `Le fichier DX est abîmé ou tronqué (${what}). Copiez-le de nouveau depuis sa source.`,
    )
  if (bytes[0] !== 0x44 || bytes[1] !== 0x58) throw damaged('il ne commence pas par DX')
  let at = bytes.indexOf(3)
  if (at < 0 || at > 4096) throw damaged('en-tête')
  while (bytes[at] === 3) at++
  const words = Array.from(
    { length: (bytes.length - at) >> 1 },
    (_, i) => bytes[at + 2 * i] | (bytes[at + 2 * i + 1] << 8),
  )
  const azimuths: number[] = []
  const codes: number[] = []
  for (let i = 0; i < words.length; ) {
    if (words[i] !== NEW_RAY || codes.length !== azimuths.length * NBINS || azimuths.length >= 400)
      throw damaged(`rayon ${azimuths.length}`)
    azimuths.push((words[i + 1] & DATA) / 10)
    for (i += 3; i < words.length && words[i] !== NEW_RAY; i++)
      if (words[i] & ZEROS) codes.push(...new Array<number>(Math.min(NBINS, words[i] & DATA)).fill(0))
      else codes.push(words[i] & DATA)
  }
  if (azimuths.length === 0 || codes.length !== azimuths.length * NBINS) throw damaged('nombre de portes')
  return {
    nrays: azimuths.length,
    nbins: NBINS,
    azimuthDeg: Float64Array.from(azimuths),
    dbz: Float32Array.from(codes, (code) => code / 2 - 32.5),
  }
}
