import { formatNumberFr } from '@radx/locale/format-fr'
import type { EventScaling } from '@radx/scaling/event-analysis'

/** Zeros that bear on the estimates. */
const MANY_ZEROS = 0.1

export const scalingNotes = {
  oneFrame: 'Une seule image : rien n’est dit du temps, et un échantillon seul estime mal.',
} as const

/** What bears on reading an analysis, in French: zeros, missing cells, what could not be analysed. */
export function notesFr({ space, wet, time }: EventScaling): string[] {
  const notes: string[] = []
  if (space.zeroShare > MANY_ZEROS)
    notes.push(
      `${Math.round(100 * space.zeroShare)} % de zéros : ils abaissent alpha, relèvent C1 et rompent l’invariance d’échelle (Gires et al. 2012, 2013). Lisez aussi l’analyse des carrés mouillés.`,
    )
  if (space.missingShare > 0)
    notes.push(`${formatNumberFr(100 * space.missingShare, 2)} % de mailles manquantes, laissées de côté.`)
  if (!wet) notes.push('Aucun carré de 16 mailles n’est presque entièrement mouillé.')
  if (!time) notes.push('Moins de huit images qui se suivent : pas d’analyse dans le temps.')
  return notes
}
