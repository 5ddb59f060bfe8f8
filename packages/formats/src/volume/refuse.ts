import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import { MAX_CELLS } from '../limits.ts'

export function refuseVolume(code: CodeOf<'odim'>, messageFr: string): FormatError {
  return new FormatError(`odim.${code}`, messageFr)
}

export function missingIn(what: string): FormatError {
  return refuseVolume(
    'badHeader',
    `« ${what} » manque dans le volume ou n’a pas de sens. Demandez au fournisseur un fichier complet.`,
  )
}

/** A file of vertical cuts or a fixed beam alone. */
export const noTurn = (): FormatError =>
  refuseVolume(
    'unsupported',
    'Ce volume n’a aucun balayage en azimut (PPI) : les coupes verticales (RHI) et les visées fixes ne sont pas lues.',
  )

export interface PolarShape {
  nrays: number
  nbins: number
  rangeStartM: number
  rangeStepM: number
  elevationDeg: number
}

/** @throws FormatError where the numbers can be no sweep */
export function assertPolar({ nrays, nbins, rangeStartM, rangeStepM, elevationDeg }: PolarShape): void {
  const whole = (n: number, max: number): boolean => Number.isInteger(n) && n >= 1 && n <= max
  if (!whole(nrays, 7200) || !whole(nbins, 16_384) || nrays * nbins > MAX_CELLS)
    throw missingIn(`${nrays} rayons x ${nbins} portes`)
  if (
    !(rangeStepM >= 1 && rangeStepM <= 10_000 && rangeStartM >= -10 * rangeStepM && rangeStartM <= 1e6) ||
    !(Math.abs(elevationDeg) <= 90)
  )
    throw missingIn(`portée (début ${rangeStartM} m, pas ${rangeStepM} m, élévation ${elevationDeg}°)`)
}

/** ISO 8601 UTC without fractions of a second, of text that may lack its zone. */
export function isoTime(text: string | undefined): string {
  const plain = (text ?? '').trim().replace(' ', 'T')
  const ms = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(plain) ? plain : `${plain}Z`)
  if (!Number.isFinite(ms)) throw missingIn('date')
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
