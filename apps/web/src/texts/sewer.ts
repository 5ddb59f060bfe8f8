import { fr } from './typography.ts'

/** Texts of the sewer analysis and of the reference picker. Strings of the specification are kept letter by letter. */
export const resultTexts = {
  outputs: 'Sorties à analyser',
  views: {
    swmm: { title: 'SWMM Analyse', text: fr('Réseau d’assainissement : profils, hauteurs, débits') },
    depth: { title: 'Maximum Water Depth', text: fr('Hauteurs d’eau maximales en surface, 2D et 3D') },
    evolution: { title: 'Évolution', text: fr('Pluie, inondation et débits au cours du temps') },
    ensemble: { title: 'Ensemble', text: fr('Bandes et membres à l’échelle de la rue') },
  },
  unknown: 'Unknown selectedOutput',
  loading: 'Chargement des données...',
} as const

export const referenceTexts = {
  title: 'Simulation de référence',
  noneChosen: 'aucune',
  list: 'Simulations comparables',
  help: fr(
    'Même bassin versant, même pluie. La comparaison se lit dans « SWMM Analyse », « Conduite », sur la carte de « Maximum Water Depth » et dans « Évolution ».',
  ),
  remove: 'Supprimer la sélection',
  none: "Aucune simulation avec des données d'entrées comparables n'a été trouvé.",
  gone: (title: string) =>
    fr(
      title === ''
        ? 'La simulation de référence choisie n’existe plus ou n’est plus comparable. Choisissez-en une autre.'
        : `La simulation de référence « ${title} » n’existe plus ou n’est plus comparable. Choisissez-en une autre.`,
    ),
  modules: (soil: boolean, drainage: boolean) =>
    `Sol ${soil ? 'activé' : 'désactivé'}, assainissement ${drainage ? 'activé' : 'désactivé'}`,
  sameLand: 'Même occupation des sols',
  otherLand: 'Autre occupation des sols',
} as const

export const sewerTexts = {
  analysis: 'Type d’analyse',
  types: { path: 'Réseau', point: 'Junction', link: 'Conduite' },
  map: 'Carte du réseau',
  noNetwork: fr('Ce bassin versant n’a pas de réseau d’assainissement.'),
  noDrainage: fr(
    'Le module d’assainissement est désactivé : les avaloirs ne prennent rien, les conduites restent sèches.',
  ),
  help: {
    path: [
      fr('Choisissez une première junction, sur la carte ou dans la table.'),
      fr('Choisissez une seconde junction pour fermer le chemin.'),
      fr('Le chemin est fermé. « Réinitialiser » retire la dernière junction.'),
    ],
    point: [
      fr('Choisissez une ou plusieurs junctions pour tracer leur hauteur d’eau moyenne.'),
      fr('Choisissez d’autres junctions pour les comparer.'),
    ],
    link: [
      fr('Choisissez une conduite pour tracer son débit.'),
      fr('Choisissez d’autres conduites pour les comparer.'),
    ],
    linkReference: [
      fr('Choisissez une conduite pour comparer son débit à celui de la référence.'),
      fr('Avec une simulation de référence, une seule conduite peut être choisie.'),
    ],
  },
  noComparison: fr('La comparaison avec la simulation de référence n’est possible que pour une conduite.'),
  selection: 'Sélection',
  nothingSelected: 'Rien n’est choisi.',
  reset: 'Réinitialiser',
  unknownNames: (names: string) => fr(`Inconnu dans ce réseau : ${names}.`),
  legend: 'Légende',
  junction: 'Junction',
  overflowing: 'Junction qui déborde',
  outfall: 'Exutoire',
  link: 'Conduite',
  area: 'Bassin',
  areaRunoff: 'Bassin, d’autant plus foncé qu’il ruisselle',
  filter: 'Rechercher par nom',
  noMatch: 'Aucun nom ne correspond.',
  sortBy: (column: string) => `Trier par ${column}`,
  pager: 'Pages de la table',
  page: (page: string, pages: string) => `Page ${page} sur ${pages}`,
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  tables: { nodes: 'Junctions', links: 'Conduites', path: 'Junctions du chemin' },
  columns: {
    name: 'Name',
    elevation: 'Elevation',
    maxDepth: 'MaxDepth',
    peakDepth: 'Hauteur max.',
    from: 'From',
    to: 'To',
    length: 'Length',
    peakFlow: 'Débit max.',
  },
  popup: {
    name: 'Name',
    elevation: 'Elevation',
    maxDepth: 'MaxDepth',
    from: 'From node',
    to: 'To node',
    length: 'Length',
    area: 'Surface',
    runoff: 'Lame ruisselée',
    peak: 'Débit maximal',
  },
  overflows: 'déborde',
  path: {
    searching: 'Recherche du chemin...',
    title: 'Profil en long',
    facts: (junctions: number, metres: string) => `${junctions} junctions, ${metres}`,
    distance: 'Distance (m)',
    elevation: 'Altitude (m)',
    legend: {
      ground: 'Terrain',
      pipe: 'Conduite',
      water: 'Eau',
      head: 'Ligne d’eau',
      overflow: 'Débordement',
      highest: 'Plus hautes eaux',
    },
    view: fr(
      'Profil en long : touches + et - pour agrandir ou réduire, flèches pour avancer, 0 pour tout voir',
    ),
    nearer: 'Agrandir le profil',
    farther: 'Réduire le profil',
    whole: 'Montrer tout le profil',
    viewBack: 'Vers le début du chemin',
    viewOn: 'Vers la fin du chemin',
    picture: (from: string, to: string) => `Profil en long de ${from} à ${to}`,
    beyond: (minutes: string) => fr(`Le profil s’arrête à ${minutes} : il reste sur ses dernières données.`),
    node: 'Junction',
    depth: 'Hauteur d’eau',
    head: 'Niveau d’eau',
    ground: 'Terrain',
    invert: 'Radier',
  },
  time: 'Temps écoulé',
  timeline: 'Moment de la simulation',
  speed: 'Vitesse de lecture',
  times: (times: number) => `×\u00a0${times}`,
  depths: {
    title: 'Hauteur d’eau moyenne',
    unit: 'm',
  },
  flows: {
    title: 'Débit',
    unit: 'm³/s',
    own: 'Cette simulation',
    delta: 'Écart à la référence',
    volume: 'Volume',
    difference: 'Écart de volume',
    noPercentage: fr('la référence n’écoule rien'),
    classes: ['Forte baisse', 'Baisse', 'Légère baisse', 'Hausse ou égal', 'Forte hausse'],
    ranges: ['moins de −20 %', '−20 à −10 %', '−10 à 0 %', '0 à 20 %', '20 % et plus'],
  },
  noSeries: (name: string) => fr(`Le fichier de sortie n’a pas de série pour ${name}.`),
  minutes: 'Temps écoulé (min)',
  csv: 'Télécharger en CSV',
  csvColumns: { time: 'temps_s', reference: 'reference', distance: 'distance_m' },
} as const
