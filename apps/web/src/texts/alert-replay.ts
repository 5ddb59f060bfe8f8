import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of the trial of a rule on the archive. */
export const replayTexts = {
  title: fr("Essayer sur l'archive"),
  intro: fr(
    "La règle telle que remplie ci-dessus, enregistrée ou non, est passée sur une période par le même calcul qu'en direct.",
  ),
  start: 'Du',
  end: 'Au',
  event: fr("Ce qu'il fallait annoncer"),
  own: fr('La règle elle-même'),
  eventKind: {
    'rain-rate': fr('Pluie observée : intensité'),
    'rain-total': fr('Pluie observée : cumul'),
    'rain-return': fr('Pluie observée : période de retour'),
  },
  eventThreshold: (unit: string) => fr(`À partir de (${unit})`),
  window: fr('Annoncé au plus tôt (min avant)'),
  run: 'Essayer',
  waiting: fr('En attente d’un calcul libre…'),
  progress: (percent: number) => fr(`Essai en cours : ${percent} %`),
  cancel: fr("Annuler l'essai"),
  cancelling: fr('Annulation…'),
  cancelled: fr('Essai annulé.'),
  failed: fr("L'essai a échoué."),
  incomplete: fr('Compléter la règle, la période et l’événement.'),
  badPeriod: fr('La fin doit suivre le début.'),
  noSamples: fr('Aucune valeur sur cette période : choisir des jours gardés dans l’archive.'),
  summary: (samples: number, unknown: number, events: number) =>
    fr(
      `${countFr(samples, 'valeur')}, dont ${countFr(unknown, 'inconnue')} ; ${countFr(events, 'événement')} à annoncer.`,
    ),
  noEvents: fr('Rien à annoncer sur cette période : seules les fausses alertes se comptent.'),
  stale: fr('La règle a changé depuis cet essai.'),
  table: fr('Selon le seuil'),
  head: [
    'Seuil à prendre',
    'Alertes',
    'Annoncés',
    'Manqués',
    'Fausses alertes',
    'POD',
    'FAR',
    'Avance (min)',
  ],
  chooseLabel: (threshold: string) => fr(`Prendre le seuil ${threshold}`),
  help: fr(
    'POD : part des événements annoncés. FAR : part des alertes qui ne précèdent aucun événement, sans celles dont la suite n’a pas été mesurée pendant plus de 30 min. Avance : médiane, négative quand l’alerte vient après le début.',
  ),
  chart: fr('POD et FAR selon le seuil'),
  pod: fr('POD (annoncés)'),
  far: fr('FAR (fausses alertes)'),
  axis: (unit: string) => fr(`Seuil (${unit})`),
  share: 'Part',
  list: (threshold: string) => fr(`Alertes au seuil ${threshold}`),
  listHead: ['Annoncée', 'Valeur', 'Terminée', 'Verdict'],
  verdicts: {
    hit: 'Événement annoncé',
    false: 'Fausse alerte',
    unknown: fr('Suite inconnue : mesures manquantes'),
  },
  missed: fr('Événement manqué'),
  going: fr('pas avant la fin'),
  listEmpty: fr('Aucune alerte à ce seuil.'),
} as const
