import { formatNumberFr } from '@radx/locale/format-fr'
import type { ProfilePipe } from './profile.ts'

/** Diameter of a pipe, height of one that is not round, mm. */
export const diameterLabel = ({ isCircular, heightM }: ProfilePipe): string =>
  `${isCircular ? 'Ø' : 'h'}\u00a0${formatNumberFr(1000 * heightM, 0)}`

export const slopeLabel = ({ slope }: ProfilePipe): string => `${formatNumberFr(100 * slope, 2)}\u00a0%`

/** As a section names a pipe. */
export const pipeLabel = (pipe: ProfilePipe): string => `${diameterLabel(pipe)} · ${slopeLabel(pipe)}`
