import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

const NARROW = '\u202f'

/** Texts of what is tried from a forecast's state. */
export const whatIfTexts = {
  title: fr('Et si, maintenant'),
  intro: fr(
    'Depuis l’état de la ville à cette image, avec la pluie moyenne prévue : ce qui change si l’on arrête une pompe, ferme une vanne ou une conduite, ou change le sol. Deux simulations sont lancées, l’une telle quelle, l’autre avec les changements.',
  ),
  gone: fr(
    'L’état de cette prévision n’est plus gardé : on ne peut essayer un changement que depuis une prévision de la dernière heure.',
  ),
  element: fr('Pompe, vanne ou conduite'),
  elementHint: fr('Nom dans le réseau, ou un clic sur la carte'),
  unknown: (name: string) => fr(`Le réseau n’a pas d’élément « ${name} ».`),
  setting: fr('Réglage'),
  add: fr('Ajouter ce réglage'),
  remove: (name: string) => fr(`Retirer le réglage de ${name}`),
  removeShort: 'Retirer',
  settings: fr('Réglages essayés'),
  kinds: { conduit: 'Conduite', pump: 'Pompe', orifice: 'Vanne', weir: 'Seuil', outlet: 'Ouvrage' },
  setTo: (kind: 'conduit' | 'pump' | 'orifice' | 'weir' | 'outlet', value: number): string => {
    const feminine = kind === 'conduit' || kind === 'orifice' || kind === 'pump' ? 'e' : ''
    if (kind === 'pump') return value === 0 ? 'arrêtée' : 'en marche'
    if (value === 0) return `fermé${feminine}`
    if (value === 1) return `ouvert${feminine}`
    return `ouvert${feminine} à ${formatNumberFr(100 * value, 0)}${NARROW}%`
  },
  landUse: fr('Occupation des sols'),
  ownLandUse: fr('Celle du bassin'),
  landUseOf: (description: string, username: string) =>
    fr(`${description || 'Sans description'} (${username})`),
  name: fr('Titre (facultatif)'),
  run: fr('Calculer'),
  nothing: fr('Ajoutez un réglage, ou choisissez une autre occupation des sols.'),
  unchanged: fr('Telle quelle'),
  changed: fr('Avec les changements'),
  waiting: fr('en attente d’un calcul libre'),
  progress: (percent: number) => fr(`${percent} %`),
  done: fr('terminée'),
  failed: (why: string) => fr(`échec : ${why}`),
  cancel: fr('Annuler'),
  cancelling: fr('Annulation…'),
  cancelled: fr('annulée'),
  figures: fr('Lecture des résultats…'),
  compare: fr('Comparer dans le détail'),
  again: fr('Autre essai'),
  table: fr('Ce qui change d’ici la fin de la prévision'),
  head: ['', 'Telle quelle', 'Avec les changements', 'Écart'],
  same: fr('Aucun de ces chiffres ne change.'),
  lines: {
    deepest: fr('Plus grande hauteur d’eau'),
    flooded: (cm: number) => fr(`Surface sous ${cm} cm ou plus`),
    overflowing: fr('Regards qui débordent'),
    overflow: fr('Volume débordé'),
    surcharged: fr('Conduites pleines'),
    outfalls: fr('Volume aux exutoires'),
  },
  counted: (count: number) => countFr(count, 'réglage'),
} as const
