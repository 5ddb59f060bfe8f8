import type { MeasureFigure, MeasureKind } from '@radx/contracts/measures-constants'
import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of measures that store water: what they kept in a run, and what they are made of. */
export const measuresTexts = {
  title: 'Ouvrages de stockage',
  lead: fr(
    'Ce que chaque ouvrage a gardé : l’eau de plus qu’au début, celle qui s’est infiltrée et celle qui s’est évaporée. L’eau qui ne fait que passer sur un ouvrage plein ne compte pas.',
  ),
  loading: fr('Lecture des ouvrages…'),
  retry: 'Réessayer',
  kinds: {
    'green-roof': 'Toitures végétalisées',
    'rain-garden': 'Jardins de pluie',
    swale: 'Noues',
    trench: fr('Tranchées d’infiltration'),
    pavement: 'Pavés drainants',
    basin: 'Bassins de rétention',
    barrel: 'Cuves',
  } satisfies Record<MeasureKind, string>,
  byKind: 'Par genre',
  kindHead: [
    'Genre',
    'Ouvrages',
    'Surface (m²)',
    'Gardé (m³)',
    'Coût (€/m²)',
    'Coût (€)',
    'Coût (€/m³ gardé)',
  ],
  costOf: (kind: string) => fr(`Coût au m² : ${kind}`),
  costs: fr(
    'Les coûts au m² sont des ordres de grandeur à remplacer par les vôtres ; ceux d’ici ne sont pas enregistrés.',
  ),
  chart: fr('Coût et volume gardé de chaque ouvrage'),
  kept: fr('Volume gardé'),
  cost: fr('Coût'),
  table: fr('Où est allée l’eau de chaque ouvrage, m³'),
  head: [
    'Ouvrage',
    'Surface (m²)',
    'Pluie',
    'Ruissellement reçu',
    'Infiltré',
    'Évaporé',
    'Drain',
    'Débordé',
    'En place à la fin',
    'Gardé',
    'Drain vers',
  ],
  most: (shown: number, all: number) =>
    fr(`Les ${shown} ouvrages qui ont le plus gardé, sur ${countFr(all, 'ouvrage')} ; tous dans le fichier.`),
  toSurface: 'le sol',
  noDrain: '–',
  csv: 'Télécharger en CSV',
} as const

/** Figures of a measure, in words, with their units. */
export const measureFigures: Record<MeasureFigure, { name: string; unit: string }> = {
  share: { name: 'Part de la cellule occupée', unit: '' },
  surfaceMm: { name: 'Hauteur d’eau avant débordement', unit: 'mm' },
  vegetationShare: { name: 'Part occupée par les plantes', unit: '' },
  sideSlope: { name: 'Talus (longueur par hauteur)', unit: '' },
  pavementMm: { name: 'Épaisseur du pavage', unit: 'mm' },
  pavementVoid: { name: 'Vides du pavage', unit: '' },
  pavementMmH: { name: 'Perméabilité du pavage', unit: 'mm/h' },
  soilMm: { name: 'Épaisseur du sol', unit: 'mm' },
  porosity: { name: 'Porosité du sol', unit: '' },
  fieldCapacity: { name: 'Capacité au champ', unit: '' },
  wiltingPoint: { name: 'Point de flétrissement', unit: '' },
  soilMmH: { name: 'Conductivité du sol', unit: 'mm/h' },
  soilSlope: { name: 'Pente de conductivité', unit: '' },
  suctionMm: { name: 'Succion', unit: 'mm' },
  storageMm: { name: 'Hauteur du stockage', unit: 'mm' },
  storageVoid: { name: 'Vides du stockage', unit: '' },
  seepageMmH: { name: 'Infiltration dans le sol en place', unit: 'mm/h' },
  deficit: { name: 'Déficit en eau du sol en place', unit: '' },
  drainMmH: { name: 'Débit du drain, stockage plein', unit: 'mm/h' },
  drainOffsetMm: { name: 'Hauteur du drain', unit: 'mm' },
  drainDelayH: { name: 'Délai de vidange après la pluie', unit: 'h' },
  matN: { name: 'Rugosité de la couche drainante (n)', unit: '' },
  roofSlope: { name: 'Pente du toit', unit: 'm/m' },
  initialShare: { name: 'Part remplie au départ', unit: '' },
  evaporationMmDay: { name: 'Évaporation', unit: 'mm/j' },
  costEurM2: { name: 'Coût', unit: '€/m²' },
}

export const measureTexts = {
  section: (kind: string) => fr(`Coupe : ${kind}`),
  soilNote: fr('Cette occupation garde l’eau par ses couches : le sol du tableau ne compte pas.'),
  settings: 'Réglages des ouvrages',
  settingsHelp: fr(
    'Chaque cellule peinte devient un ouvrage, qui garde la pluie et, au sol, l’eau qui y ruisselle. Les valeurs de départ sont celles du manuel d’EPA SWMM.',
  ),
  of: (title: string) => fr(`Réglages : ${title}`),
  range: (least: string, most: string) => fr(`de ${least} à ${most}`),
  drainTo: 'Drain vers',
  drains: { nearest: fr('le regard le plus proche'), surface: fr('le sol') },
  layers: {
    surface: 'eau en surface',
    pavement: 'pavage',
    soil: 'sol',
    storage: 'stockage',
    ground: 'sol en place',
    drain: 'drain',
  },
} as const
