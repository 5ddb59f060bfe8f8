import { fr } from './typography.ts'

/** Texts of the forecast on the live map and its time bar. */
export const futureTexts = {
  track: 'Prévision',
  now: 'maintenant',
  badge: 'Prévision',
  onMap: 'Prévision sur la carte',
  leave: 'Revenir au direct',
  leaveTip: 'Revenir à la dernière image (Échap)',
  in: (minutes: number) => fr(`dans ${minutes} min`),
  present: 'pour maintenant',
  past: (minutes: number) => fr(`pour il y a ${minutes} min`),
  issued: (time: string) => `émise ${time}`,
  clock: (when: string, issued: string) => `prévision, ${when} (${issued})`,
  horizon: (minutes: number) => fr(`fiable jusqu'à ${minutes} min aujourd'hui`),
  horizonShort: (minutes: number) => fr(`fiable ${minutes} min`),
  lost: fr("peu fiable aujourd'hui"),
  unknownHorizon: 'fiabilité inconnue',
  beyond: 'au-delà de la limite de fiabilité',
  old: 'prévision ancienne',
  none: 'Pas de prévision',
  source: (product: string, shown: string) => fr(`Prévision de ${product}, sur la grille de ${shown}`),
  ownSource: (product: string) => `Prévision de ${product}`,
  view: 'Voir',
  views: {
    rain: 'Intensité de la pluie',
    chance: (above: string) => fr(`Probabilité de plus de ${above} mm/h`),
  },
  noMembers: 'Pas encore de probabilités',
  arrows: 'Déplacement',
  arrowsFailed: fr("Le déplacement n'a pas pu être lu."),
  viewFailed: fr("Les probabilités n'ont pas pu être lues."),
  legend: 'Probabilité',
  above: (mmH: string) => fr(`> ${mmH} mm/h`),
  percent: (value: number) => fr(`${value} %`),
  statement: (instant: string, when: string, issued: string) =>
    fr(`Prévision pour ${instant}, ${when}, ${issued}.`),
} as const
