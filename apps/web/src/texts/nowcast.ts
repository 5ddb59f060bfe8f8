import { fr } from './typography.ts'

/** Texts of the forecast in the live page's column. */
export const nowcastTexts = {
  title: 'Prévision',
  atRadar: 'Au radar',
  here: 'À votre position',
  locate: 'Prévoir à ma position',
  locateFailed: fr("La position n'a pas pu être lue. Autorisez-la dans le navigateur, puis réessayez."),
  leave: 'Revenir au radar',
  outside: fr("Ce lieu est hors de la portée du radar : rien n'y est prévu."),
  rainIn: (minutes: number) => fr(`Pluie dans ${minutes} min`),
  rainsOn: (minutes: number) => fr(`Il pleut, et encore pendant au moins ${minutes} min`),
  dryIn: (minutes: number) => fr(`Il pleut, fin dans ${minutes} min`),
  dry: (minutes: number) => fr(`Pas de pluie d'ici ${minutes} min`),
  unseen: fr("Rien n'est connu en amont de ce lieu."),
  horizon: (minutes: number) => fr(`Fiable jusqu'à ${minutes} min aujourd'hui, d'après la dernière heure.`),
  noHorizon: fr('Trop peu de pluie dans la dernière heure pour dire la fiabilité.'),
  lost: fr("Pas fiable aujourd'hui : la dernière heure a été mal prévue."),
  reasons: {
    'few-frames': fr('Il faut au moins deux images récentes pour prévoir.'),
    gap: fr('Plus de 15 min entre les dernières images : pas de prévision.'),
    missing: fr('La dernière image ne contient aucune mesure : pas de prévision.'),
    dry: fr("Aucune pluie n'approche : rien à prévoir."),
    'no-motion': fr("Le déplacement de la pluie n'a pas pu être mesuré."),
  },
  lead: (minutes: number) => fr(`${minutes} min`),
  bar: (minutes: number, what: string) => fr(`Dans ${minutes} min : ${what}`),
  none: 'pas de pluie',
  unknown: 'inconnu',
  rate: (label: string) => fr(`${label} mm/h`),
} as const
