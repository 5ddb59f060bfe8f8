import { formatNumberFr } from '@radx/locale/format-fr'
import type { EventScaling } from '@radx/scaling/event-analysis'

/** Zeros that bear on the estimates. */
const MANY_ZEROS = 0.1
/** Below this the moments of order 1.5 lie on no line: alpha and C1 say little. */
const STRAIGHT = 0.9

export const scalingNotes = {
  oneFrame: 'Une seule image : rien n’est dit du temps, et un échantillon seul estime mal.',
  flat: 'Aucun paramètre ne peut être estimé : la pluie est la même partout, ou trop peu de mailles sont mouillées. Choisissez une autre période ou une autre fenêtre.',
} as const

/** Whether an analysis has nothing to say over space: no variability, or hardly a wet cell. */
export const isFlat = ({ space }: EventScaling): boolean => space.fits.every(({ tm, dtm }) => !tm && !dtm)

/** What bears on reading an analysis, in French: zeros, missing cells, what could not be analysed. */
export function notesFr({ window, space, wet, time, spectrum }: EventScaling): string[] {
  const notes: string[] = []
  if (space.zeroShare > MANY_ZEROS)
    notes.push(
      `${formatNumberFr(100 * space.zeroShare, space.zeroShare > 0.99 ? 2 : 0)} % de zéros : ils abaissent alpha, relèvent C1 et rompent l’invariance d’échelle (Gires et al. 2012, 2013). Lisez aussi l’analyse des carrés mouillés.`,
    )
  if (space.missingShare > 0)
    notes.push(`${formatNumberFr(100 * space.missingShare, 2)} % de mailles manquantes, laissées de côté.`)
  if (space.missingShare > 0 && !spectrum)
    notes.push('Aucun carré de 16 mailles sans lacune : pas de spectre.')
  if (spectrum && spectrum.side < window.side)
    notes.push(
      `Le spectre est celui du plus grand carré sans lacune : ${spectrum.side} mailles de côté au lieu de ${window.side}.`,
    )
  const [{ tm }] = space.fits
  if (tm && tm.r2 < STRAIGHT)
    notes.push(
      `Les moments ne suivent pas une droite sur toutes les échelles (R² ${formatNumberFr(tm.r2, 2)}) : alpha et C1 n’y décrivent pas la pluie. Choisissez une gamme d’échelles.`,
    )
  if (!wet) notes.push('Aucun carré de 16 mailles n’est presque entièrement mouillé.')
  if (!time) notes.push('Moins de huit images qui se suivent : pas d’analyse dans le temps.')
  return notes
}
