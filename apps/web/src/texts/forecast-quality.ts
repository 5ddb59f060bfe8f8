import { fr } from './typography.ts'

/** Texts of the page on what forecasts are worth. */
export const qualityTexts = {
  intro: fr(
    "Chaque image du radar note les prévisions qui avaient été faites pour elle, comparées à la dernière image d'alors laissée immobile (persistance).",
  ),
  period: 'Période',
  day: fr('24 dernières heures'),
  month: fr('30 derniers jours'),
  event: (title: string) => fr(`Évènement : ${title}`),
  threshold: 'Seuil',
  rate: (value: string) => fr(`${value} mm/h`),
  loading: 'Lecture des scores',
  retry: 'Réessayer',
  none: fr(
    "Aucune prévision n'a été notée dans cette période : il n'a pas plu, ou la prévision ne tournait pas encore.",
  ),
  frames: (count: string, product: string) => fr(`${count} ont noté des prévisions de ${product}.`),
  horizon: (minutes: number) =>
    fr(`Fiable jusqu'à ${minutes} min : au-delà, le CSI à 1 mm/h passe sous 1/e (0,37).`),
  horizonAtLeast: (minutes: number) =>
    fr(`Fiable au moins jusqu'à ${minutes} min, la plus longue échéance notée.`),
  lost: fr('Pas fiable, même à la première échéance : le CSI à 1 mm/h est sous 1/e (0,37).'),
  noHorizon: fr('Trop peu de pluie pour dire un horizon.'),
  csi: fr('CSI par échéance'),
  csiHelp: fr(
    'CSI : part des mailles au-dessus du seuil, vues ou prévues, qui le sont à la fois dans la prévision et dans la réalité. 1 est parfait.',
  ),
  lead: fr('Échéance (min)'),
  forecast: 'Prévision',
  persistence: 'Persistance',
  limit: '1/e',
  reliability: 'Diagramme de fiabilité',
  reliabilityHelp: (minutes: number) =>
    fr(
      `Sur la diagonale, la pluie vient aussi souvent qu'annoncé. Échéances jusqu'à ${minutes} min, mailles groupées par dixième de probabilité.`,
    ),
  given: fr('Probabilité annoncée'),
  seen: 'Fréquence observée',
  above: (value: string) => fr(`plus de ${value} mm/h`),
  noMembers: fr('Pas de probabilités notées dans cette période.'),
  cells: 'Mailles',
  table: fr('Scores par échéance'),
  head: (rate: string) => [
    fr('Échéance'),
    'CSI',
    fr('CSI, persistance'),
    'POD',
    'FAR',
    fr('Biais de fréquence'),
    fr('Écart moyen (mm/h)'),
    fr('Écart moyen, persistance'),
    fr(`Brier à ${rate} mm/h`),
  ],
  minutes: (value: number) => fr(`${value} min`),
  csv: fr('Télécharger en CSV'),
  csvFailed: fr("Le fichier n'a pas pu être téléchargé."),
  replay: fr('Prévision rejouée'),
  replayHelp: fr(
    "Ce qui aurait été prévu à un moment passé, refait depuis l'archive et mis à côté de ce qui est venu.",
  ),
  moment: 'Moment',
  replayButton: 'Rejouer',
  replaying: fr('Calcul de la prévision'),
  replayOf: (moment: string, product: string) => fr(`Prévision du ${moment}, produit ${product}`),
  after: (minutes: number) => fr(`Après ${minutes} min`),
  forecastOf: 'Prévu',
  seenOf: fr('Observé'),
  notSeen: fr("Pas d'image à moins de 5 min de ce moment."),
  notForecast: fr("Rien n'est prévu si loin : rien n'a été vu en amont."),
} as const
