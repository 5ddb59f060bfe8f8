import { countFr, formatNumberFr } from '@radx/locale/format-fr'

/** Apart, since the menu's bundle has it. */
export { aheadTitle } from './ahead-title.ts'

const NARROW = '\u202f'
const NBSP = '\u00a0'

/** Texts of the screen of flood forecasts. */
export const aheadTexts = {
  alert: 'M’alerter pour ce lieu',
  intro:
    'Après chaque image du radar, l’état de la ville est prolongé avec la pluie observée, puis avec la pluie prévue et ses variantes. Ce qui suit dit où l’eau peut monter, et avec quelle certitude.',
  loading: 'Chargement de la prévision…',
  catchment: 'Bassin versant',
  none: 'Aucun bassin versant n’est importé : il n’y a rien à prévoir.',
  off: `La prévision d’inondation de ce bassin n’est pas en marche.`,
  offManager: 'Mettez-la en marche ci-dessous.',
  offUser: 'Un gestionnaire peut la mettre en marche.',
  turnOn: 'Mettre la prévision en marche',
  turnOff: 'Arrêter la prévision',
  waits: {
    starting: 'La première prévision est en préparation : elle est prête en quelques minutes.',
    'first-frame': 'La première image du radar est attendue : la prévision commence avec elle.',
    'no-frame':
      'Le radar ne donne plus d’image depuis plus de 15 minutes : la pluie qui tombe n’est pas connue, et aucune prévision n’est faite.',
    'no-nowcast': 'La pluie n’est pas prévue en ce moment : la prévision d’inondation attend.',
    computing: 'La prévision de la dernière image est en cours de calcul.',
  },
  computing: (time: string, stage: string) =>
    `La prévision de l’image de ${time} est en cours de calcul${NBSP}: ${stage}.`,
  stages: {
    state: 'l’état de la ville, avec la pluie observée',
    members: 'ce qui peut arriver, avec la pluie prévue et ses variantes',
    gather: 'les probabilités',
  } as Record<string, string>,
  offline: (since: string) =>
    `Pas de réseau${NARROW}: ce qui suit date de ${since} et ne se met plus à jour. La suite viendra dès qu’il sera de retour.`,
  silent: (since: string) =>
    `Le serveur ne répond plus${NARROW}: ce qui suit date de ${since} et ne se met plus à jour. Il est redemandé toutes les dix secondes.`,
  cycle: 'Prévision de',
  newest: 'La plus récente',
  issuedAt: (when: string) => `Faite de l’image de ${when}`,
  past: (when: string) => `Ce que l’on voyait à ${when}`,
  toNewest: 'Voir la plus récente',
  delay: (seconds: number) =>
    seconds < 90
      ? `prête ${countFr(seconds, 'seconde')} après l’image`
      : `prête ${countFr(Math.round(seconds / 60), 'minute')} après l’image`,
  age: (minutes: number) => `il y a ${countFr(minutes, 'minute')}`,
  skipped: (count: number) => `${countFr(count, 'image')} sans prévision avant elle`,
  missing: (share: number) =>
    `${formatNumberFr(100 * share, 0)}${NARROW}% de la pluie depuis la prévision d’avant n’ont pas été vus : l’état de la ville peut être pire que ce qui est montré.`,
  unknown: (when: string) =>
    `À partir de ${when}, la pluie à venir n’est pas ou qu’en partie connue : elle vient de hors de l’image du radar, le radar n’a pas vu la ville, ou le déplacement de la pluie n’a pu être mesuré. Celle que l’on voyait en dernier est alors supposée rester.`,
  horizon: (until: string, end: string) =>
    `La pluie est prévue jusqu’à ${until} ; ensuite la ville se vide sans nouvelle pluie, jusqu’à ${end}. Ce qui pourrait tomber après n’est pas compté.`,
  alone:
    'Les variantes de la pluie ont manqué : une seule évolution est calculée, et ce qui suit ne dit pas avec quelle certitude.',
  alike:
    'Aucune variante de la pluie prévue n’atteint la ville : elles sont toutes pareilles, et une seule évolution est calculée.',
  foreseen: 'Prévu',
  members: (count: number) => `${countFr(count, 'variante')} de la pluie et une évolution moyenne`,
  dry: 'Aucune pluie n’a été vue sur le bassin depuis douze heures et aucune n’y est prévue dans l’heure : rien n’est à craindre de la pluie jusque-là.',
  nothing: 'Aucune rue, conduite ou regard n’est menacé dans ce qui est prévu.',
  failed: (time: string, reason: string) => `La prévision de l’image de ${time} a échoué${NBSP}: ${reason}`,
  summary: 'En bref',
  certain: 'Certain',
  likely: 'Probable',
  possible: 'Possible',
  /** In place of a level, where there are no members. */
  forecastAlone: 'Prévu, sans certitude',
  words: (level: string, streets: number, nodes: number, links: number) =>
    `${level}${NBSP}: ${[
      streets > 0 ? countFr(streets, 'lieu inondé', 'lieux inondés') : '',
      nodes > 0 ? countFr(nodes, 'regard qui déborde', 'regards qui débordent') : '',
      links > 0 ? countFr(links, 'conduite pleine', 'conduites pleines') : '',
    ]
      .filter((part) => part !== '')
      .join(', ')}.`,
  watch: 'À surveiller',
  watchList: 'Liste de ce qui est à surveiller',
  watchHead: ['Quoi', 'Certitude'],
  /** Where something may be: what is there and what is near it, as far as it is known. */
  place: (ground: string | null, near: string | null, number: string) =>
    near === null
      ? ground === null
        ? `Lieu ${number}`
        : `${ground} (lieu ${number})`
      : `${ground ?? 'Lieu'} près du regard ${near}`,
  pipes: (count: number) => `${count} conduites pleines`,
  kinds: {
    street: (place: string, depth: string) => `${place}${NBSP}: plus de ${depth}`,
    node: (name: string) => `Regard ${name} déborde`,
    link: (name: string) => `Conduite ${name} pleine`,
  },
  sureness: (word: string, percent: number) => `${word}, ${percent}${NARROW}%`,
  from: (time: string) => `Vers ${time}`,
  above: 'Probabilité de plus de',
  depth: (cm: number) => `${cm}${NBSP}cm`,
  map: 'Carte des probabilités d’inondation',
  rainToo: 'Pluie',
  rainComing: 'Pluie (chargement…)',
  rainMissing: 'Pluie (indisponible)',
  legendRain: 'Hachures : pluie prévue, couleurs du direct',
  networkToo: 'Réseau',
  legend: 'Probabilité',
  legendNetwork: 'Conduites pleines, regards qui débordent : mêmes couleurs',
  percent: (value: number) => `${value}${NARROW}%`,
  clock: 'Moment prévu',
  inMinutes: (minutes: number, time: string) => `dans ${minutes} min, ${time}`,
  fan: 'Éventail des variantes',
  fanHint:
    'Choisissez une ligne de la liste, ou sur la carte une rue, un regard ou une conduite. Au clavier, Entrée choisit le centre de la carte.',
  fans: {
    cell: (row: number, col: number) => `Hauteur d’eau, ligne ${row}, colonne ${col}`,
    place: (place: string) => `Hauteur d’eau, ${place.toLowerCase().slice(0, 1)}${place.slice(1)}`,
    node: (name: string) => `Hauteur d’eau au regard ${name}`,
    link: (name: string) => `Remplissage de la conduite ${name}`,
  },
  limits: {
    cell: (limit: string) => `Le danger se compte au-dessus de ${limit}.`,
    node: (limit: string) => `Au-dessus de ${limit}, le regard déborde.`,
    link: (limit: string) => `À ${limit}, la conduite est pleine.`,
  },
  /** Where the deterministic course leaves what the members lie between. */
  strays: (from: string, to: string) =>
    `${from === to ? `À ${from}` : `De ${from} à ${to}`}, l’évolution moyenne sort de l’éventail${NBSP}: elle vient d’une pluie prévue sans ses détails fins, que les variantes gardent. C’est l’éventail qui dit ce qui peut arriver.`,
  rain: 'Pluie sur le bassin',
  rainHead: ['Moment', 'Évolution moyenne', '10 %', 'Médiane', '90 %'],
  quality: 'Valeur des prévisions des 30 derniers jours',
  qualityNone: 'Aucune prévision de pluie n’a encore pu être tenue contre ce qui est arrivé.',
  qualityLead: (minutes: number) => `À ${minutes} min`,
  qualityOf: (count: number, skill: number | null) =>
    skill === null
      ? `${countFr(count, 'prévision')}, toutes sans eau de plus de 5 cm`
      : `${countFr(count, 'prévision')}, gain de Brier ${formatNumberFr(skill, 2)} contre « rien ne change »`,
  reliability: 'Fiabilité à 30 min : eau de plus de 5 cm',
  forecastShare: 'Probabilité annoncée',
  observedShare: 'Part arrivée',
  unitShare: '%',
}
