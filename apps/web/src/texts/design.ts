import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of design storms and of hyetograms of one's own in the simulation form. */
export const designTexts = {
  mode: fr('D’où vient la pluie de projet'),
  modes: { typed: 'Triangles', design: 'Par période de retour', own: 'Hyétogramme' },
  loading: 'Chargement des tableaux',
  noTable: fr('Aucun tableau de périodes de retour : ajoutez les coefficients de votre station.'),
  toTables: 'Ouvrir l’analyse',
  kind: 'Forme de la pluie',
  kinds: {
    chicago: 'Chicago (Keifer et Chu, 1957)',
    desbordes: 'Double triangle de Desbordes (1974)',
    uniform: 'Uniforme',
  },
  fields: {
    periodYears: 'Période de retour',
    intenseYears: 'De la partie intense',
    durationMin: 'Durée totale',
    stepMin: 'Pas de temps',
    peak: 'Place de la pointe (0 à 1)',
    intenseMin: 'Durée intense',
    calmAfter: 'Attente après la pluie',
  },
  years: (years: number) => `${String(years).replace('.', ',')}\u00a0${years < 2 ? 'an' : 'ans'}`,
  explained: {
    chicago: fr(
      'Autour de la pointe, chaque durée reçoit la hauteur du tableau. Chaque pas est une moyenne, la pointe seule étant sans borne.',
    ),
    desbordes: fr(
      'La durée totale et la partie intense reçoivent chacune la hauteur du tableau ; iMax est la pointe, i2 l’épaulement.',
    ),
    uniform: fr('La hauteur du tableau sur la durée, à intensité constante.'),
  },
  noCurve: fr('Corrigez le champ signalé pour tracer la pluie.'),
  own: 'Série de pluie',
  ownHelp: fr(
    'Collez deux colonnes depuis un tableur : temps (minutes, hh:mm ou date) et pluie. L’en-tête dit l’unité, mm/h ou mm.',
  ),
  ownExample: 'minute;mm/h\n0;4\n5;22,5\n10;8',
  ownFile: 'Lire un fichier CSV',
  ownFileNamed: (name: string) => `Fichier lu : ${name}`,
  ownUnit: 'Unité des valeurs',
  ownUnits: { heading: fr('celle de l’en-tête'), mm: 'mm par pas' },
  ownUnitMissing: fr(
    'L’unité n’est dite nulle part : écrivez-la dans l’en-tête (mm/h ou mm), ou choisissez-la.',
  ),
  ownTooLong: (hours: number) =>
    fr(
      `La pluie et l’attente durent ${hours} h : une simulation en prend 168 au plus. Raccourcissez la série.`,
    ),
  ownDry: fr('La série n’a aucune pluie : il n’y a rien à simuler.'),
  ownEmpty: fr('Collez une série ou lisez un fichier pour la voir ici.'),
  ownRead: (lines: number, step: string, most: string) =>
    `${countFr(lines, 'valeur')}, pas de ${step}, au plus ${most}.`,
  pasted: 'série collée',
} as const

/** Texts of moved radar rain. */
export const moveTexts = {
  switch: 'Transposer cette pluie',
  help: fr('La pluie mesurée ailleurs, à un autre moment ou plus fort, tombe sur le bassin.'),
  fields: {
    eastM: 'Vers l’est',
    northM: 'Vers le nord',
    shiftMinutes: 'Plus tard de',
    factor: 'Facteur',
  },
  outside: {
    eastM: 'de -300 à 300 km',
    northM: 'de -300 à 300 km',
    shiftMinutes: '30 ans au plus',
    factor: 'de 0,1 à 10',
  },
  map: fr('Cumul de la période et bassin'),
  drag: fr(
    'Glissez la pluie sur la carte, ou donnez son déplacement. Les flèches du clavier la déplacent de 1 km.',
  ),
  handle: fr('Déplacer la pluie : flèches du clavier, ou glisser'),
  reset: 'Remettre en place',
  loading: fr('Cumul de la période en préparation'),
  moved: (east: string, north: string) => `${east} vers l’est, ${north} vers le nord`,
  hole: fr('Là où la pluie déplacée manque de données, le modèle reste sec et le dit dans ses résultats.'),
  uncovered: fr(
    'La pluie transposée ne couvre plus le bassin versant : il n’y aurait aucune donnée. Rapprochez-la.',
  ),
  partly: (share: string) =>
    fr(
      `La pluie transposée ne couvre plus que ${share} du bassin versant : le reste serait sec, sans donnée.`,
    ),
  dragging: 'La souris déplace',
  drags: { rain: 'la pluie', map: 'la carte' },
} as const

/** Texts of the equations of the surface. */
export const equationTexts = {
  label: fr('Équations de l’écoulement en surface'),
  choices: {
    auto: fr('Choix automatique'),
    inertial: fr('Inertie locale'),
    'full-1': fr('Complètes, ordre 1'),
    'full-2': fr('Complètes, ordre 2'),
  },
  explained: {
    auto: fr(
      'L’inertie locale, ou les équations complètes d’ordre 1 si des nombres de Froude mesurés les demandent ; le journal dit lesquelles.',
    ),
    inertial: fr('Rapide, juste pour l’eau lente des villes ; ni ressaut ni écoulement torrentiel.'),
    'full-1': fr(
      'Ressauts, ruptures de barrage, rues en pente : quelques fois plus long que l’inertie locale.',
    ),
    'full-2': fr(
      'Plus précises sur un fond lisse et à mailles fines ; plusieurs fois plus longues que l’ordre 1.',
    ),
  },
  fact: fr('Équations de la surface'),
} as const

/** Texts of the wetness of the soil before the rain. */
export const soilTexts = {
  title: fr('Sol avant la pluie'),
  label: 'Humidité du sol',
  choices: {
    mean: fr('Moyen (celui de la table)'),
    dry: 'Sec',
    wet: 'Humide',
    archive: fr('D’après l’archive, 5 jours avant'),
  },
  explained: {
    mean: fr('Le déficit d’humidité est celui de la table d’occupation des sols.'),
    dry: fr('Le déficit de la table est multiplié par 1,4, sans dépasser 0,4.'),
    wet: fr('Le déficit de la table est multiplié par 0,43.'),
    archive: fr(
      'Le cumul radar des cinq jours d’avant décide : de novembre à mars sec sous 12,7 mm et humide au-dessus de 27,9 mm ; d’avril à octobre sous 35,6 mm et au-dessus de 53,3 mm (SCS, 1972).',
    ),
  },
  states: { dry: 'sec', mean: 'moyen', wet: 'humide' },
  fact: fr('Sol avant la pluie'),
  found: (state: string, depth: string) => fr(`${state}, ${depth} en 5 jours`),
  movedFact: 'Transposition',
  later: (hours: string) => `décalée de ${hours}`,
  times: (factor: string) => `multipliée par ${factor}`,
} as const
