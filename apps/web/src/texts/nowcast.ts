import { fr } from './typography.ts'

/** Texts of the forecast in the live page's column. */
export const nowcastTexts = {
  title: 'Prévision',
  atRadar: 'Au radar',
  here: 'À votre position',
  at: (town: string) => `À ${town}`,
  outside: fr("Le radar ne voit pas ce lieu : rien n'y est prévu."),
  rainIn: (minutes: number) => fr(`Pluie dans ${minutes} min`),
  maybeRainIn: (minutes: number) =>
    fr(`Pluie possible dans ${minutes} min, au-delà de la limite de fiabilité`),
  rainsOn: (minutes: number) => fr(`Il pleut, et encore pendant au moins ${minutes} min`),
  dryIn: (minutes: number) => fr(`Il pleut, fin dans ${minutes} min`),
  maybeDryIn: (minutes: number) =>
    fr(`Il pleut, fin possible dans ${minutes} min, au-delà de la limite de fiabilité`),
  dry: (minutes: number) => fr(`Pas de pluie d'ici ${minutes} min`),
  over: fr("La dernière prévision est dépassée : le radar n'envoie plus d'image."),
  failed: fr("La prévision n'a pas pu être lue. Elle est redemandée toutes les deux minutes."),
  loading: 'Calcul de la pluie à venir...',
  issued: (time: string) => `Émise à ${time}.`,
  old: (minutes: number) => fr(`Prévision ancienne, émise il y a ${minutes} min.`),
  place: 'Lieu de la prévision',
  towns: 'Villes',
  gauges: 'Pixels choisis',
  gauge: (number: number) => `Pixel ${number}`,
  locating: 'Recherche de votre position...',
  unseen: fr("Rien n'est connu en amont de ce lieu."),
  horizon: (minutes: number) => fr(`Fiable jusqu'à ${minutes} min aujourd'hui, d'après la dernière heure.`),
  noHorizon: fr('Trop peu de pluie dans la dernière heure pour dire la fiabilité.'),
  lost: fr("Pas fiable aujourd'hui : la dernière heure a été mal prévue."),
  reasons: {
    'few-frames': fr('Il faut au moins deux images récentes pour prévoir.'),
    gap: fr('Plus de 15 min entre les dernières images : pas de prévision.'),
    missing: fr('La dernière image ne contient aucune mesure : pas de prévision.'),
    dry: fr('Aucune pluie en vue : rien à prévoir.'),
    'no-motion': fr("Le déplacement de la pluie n'a pas pu être mesuré."),
  },
  lead: (minutes: number) => fr(`${minutes} min`),
  bar: (minutes: number, what: string) => fr(`Dans ${minutes} min : ${what}`),
  none: 'pas de pluie',
  unknown: 'inconnu',
  rate: (label: string) => fr(`${label} mm/h`),
} as const

/** Texts of the forecast intensity of a catchment or pixel. */
export const fanTexts = {
  title: 'Intensité prévue',
  place: fr("Bassin ou pixel de l'intensité prévue"),
  pixel: (number: number) => fr(`Pixel ${number}`),
  unknown: fr("Rien n'est connu en amont de ce lieu."),
  members: (count: number) =>
    fr(
      `Aire : 10 à 90 % des ${count} membres de l'ensemble. Fond grisé : au-delà de la limite de fiabilité.`,
    ),
  head: ['Instant', 'Prévision (mm/h)', '10 % (mm/h)', 'Médiane (mm/h)', '90 % (mm/h)'],
}
