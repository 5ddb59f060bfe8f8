import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of ensembles of downscaled rain: in the form, and what came out. */
export const ensembleTexts = {
  switch: 'Désagréger en ensemble',
  help: fr(
    'La pluie du radar est aussi simulée N fois, chaque fois répartie autrement à l’échelle de la rue : de 250 m à 31 m et par quatre dans le temps, par une cascade multifractale. La somme de chaque maille et de chaque image est gardée.',
  ),
  fields: { members: 'Membres', alpha: 'alpha', c1: 'C1', seed: 'Graine' },
  outside: {
    members: fr('un entier de 2 à 50'),
    alpha: fr('de 0,5 à 2, à 0,05 au moins de 1'),
    c1: fr('de 0,001 à 0,5'),
    seed: fr('un entier, 0 ou plus'),
  },
  tooLong: fr('Un ensemble dure 24 h au plus : choisissez une période plus courte.'),
  note: fr(
    'alpha 1,8 et C1 0,1 ne sont que des ordres de grandeur : mieux vaut les estimer sur la période. La même graine donne les mêmes membres.',
  ),
  time: (members: number) =>
    fr(`La simulation est faite ${members + 1} fois : son temps de calcul est multiplié d’autant.`),
  estimate: 'Estimer sur la période',
  estimating: fr('Analyse de la période en cours...'),
  estimated: (from: string, to: string, r2: string) =>
    fr(`Estimés par DTM de ${from} à ${to} sur la période, R² ${r2}.`),
  notEstimated: fr(
    'La période ne donne pas de paramètres dans ces bornes : la pluie y est trop lisse ou trop rare aux petites échelles.',
  ),
  fact: 'Ensemble',
  told: (members: number, alpha: string, c1: string, first: number) =>
    fr(`${countFr(members, 'membre')}, alpha ${alpha}, C1 ${c1}, graines ${first} à ${first + members - 1}`),
  title: fr('Ensemble à l’échelle de la rue'),
  loading: fr('Lecture des membres'),
  retry: 'Réessayer',
  lead: fr(
    'Chaque membre a reçu, par maille du radar et par image, la même pluie que le calcul sans désagrégation : ce qui les distingue vient de sa répartition fine.',
  ),
  quantity: 'Grandeur',
  courses: {
    rainMmH: fr('Pluie moyenne'),
    floodedM2: fr('Surface sous 10 cm d’eau et plus'),
    surfaceM3: fr('Eau en surface'),
    sewerInM3S: fr('De la surface au réseau'),
    outfallM3S: 'Aux exutoires',
  },
  all: 'Tous les membres',
  key: {
    band: fr('10 à 90 % des membres'),
    median: fr('médiane'),
    control: fr('sans désagrégation'),
  },
  moment: 'Temps',
  map: fr('Hauteurs d’eau maximales'),
  mapOf: 'Carte de',
  maps: {
    p10: fr('10 % des membres restent dessous'),
    p50: fr('médiane des membres'),
    p90: fr('90 % des membres restent dessous'),
  },
  member: (k: number) => `membre ${k + 1}`,
  legend: fr('Hauteur maximale (cm)'),
  element: fr('Réseau d’assainissement'),
  elementKind: fr('Élément'),
  kinds: { link: 'Conduite', node: 'Regard' },
  elementName: 'Nom',
  elementChart: { link: fr('Débit de la conduite'), node: fr('Hauteur d’eau du regard') },
  pickElement: fr('Choisissez un élément du réseau pour en voir les bandes.'),
  table: 'Membres',
  head: [
    'Calcul',
    'Graine',
    'Pluie (mm)',
    fr('Maximum d’une maille (mm/h)'),
    fr('Sous 10 cm et plus (ha)'),
    fr('En surface, au plus (m³)'),
    'Aux exutoires (m³)',
    'Hauteur maximale (m)',
  ],
  control: fr('sans désagrégation'),
  none: '–',
  csv: 'Membres (csv)',
} as const
