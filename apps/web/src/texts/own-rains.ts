import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of rains measured elsewhere, in the simulation form. */
export const ownRainTexts = {
  more: 'Ou une pluie mesurée ailleurs :',
  gauge: {
    title: 'Pluviomètre',
    text: fr('Ce qu’un pluviomètre a mesuré sur une période, la même intensité partout sur le bassin.'),
    loading: fr('Chargement des pluviomètres…'),
    none: fr('Aucun pluviomètre : ajoutez un fichier de mesures sur l’écran d’analyse.'),
    toGauges: 'Ouvrir l’analyse',
    choose: 'Choix du pluviomètre',
    named: (name: string, owner: 'site' | 'user') => (owner === 'user' ? fr(`${name} (à vous)`) : name),
    start: 'Début',
    end: 'Fin',
    backwards: fr('La fin doit suivre le début.'),
    reading: fr('Lecture des mesures…'),
    empty: fr('Donnez une période pour voir ce qui a été mesuré.'),
    found: (total: string, most: string, interval: string | null) =>
      fr(
        `${total} mesurés, au plus ${most}${interval === null ? '' : `, une mesure toutes les ${interval}`}.`,
      ),
    gaps: (minutes: number) => fr(`Sans mesure pendant ${countFr(minutes, 'minute')} :`),
    gap: (from: string, to: string) => fr(`du ${from} au ${to}`),
    moreGaps: (count: number) => fr(`et ${countFr(count, 'autre lacune', 'autres lacunes')}`),
    gapsDry: fr('Compter ces lacunes comme sèches'),
    gapsOpen: fr(
      'Une lacune n’est pas une absence de pluie : choisissez une autre période, ou dites que les lacunes comptent comme sèches.',
    ),
    noReading: fr('Ce pluviomètre n’a aucune mesure sur cette période. Choisissez-en une autre.'),
    dry: fr('Ce pluviomètre n’a pas reçu de pluie sur cette période : il n’y a rien à simuler.'),
  },
  pictures: {
    title: 'Mes images radar',
    text: fr('Les images d’un autre radar, d’un zip que vous déposez, cellule par cellule.'),
    drop: fr('Déposez ici le zip de vos images radar'),
    dropHere: fr('Lâchez pour ajouter'),
    choose: 'Choisir un fichier zip',
    limits: fr(
      '200 Mio et sept jours au plus. Images ODIM HDF5, Rainbow 5 ou netCDF-4 d’un seul produit ; elles sont coupées au bassin.',
    ),
    loading: fr('Chargement de vos pluies…'),
    none: fr('Vous n’avez pas encore d’images sur ce bassin.'),
    kept: fr('Vos pluies sur ce bassin'),
    added: (name: string) => fr(`« ${name} » est là, et choisie pour cette simulation.`),
    failed: (file: string, why: string) => fr(`${file} n’a pas été ajouté : ${why}`),
    refused: (file: string, count: string) =>
      fr(`${file} n’a pas été ajouté. Points à corriger (${count}) :`),
    gone: (name: string) => fr(`La pluie « ${name} » a été supprimée : choisissez-en une autre.`),
    about: (pictures: number, from: string, to: string, total: string) =>
      fr(`${countFr(pictures, 'image')}, du ${from} au ${to}, ${total}`),
    step: (pictures: number, step: string) => fr(`${countFr(pictures, 'image')}, toutes les ${step}`),
    period: (from: string, to: string) => fr(`du ${from} au ${to}`),
    mean: fr('Pluie moyenne sur le bassin'),
    facts: {
      pictures: 'Images',
      period: 'Période',
      total: 'Hauteur moyenne',
      meanMax: fr('Plus forte moyenne sur le bassin'),
      cellMax: fr('Plus forte intensité d’une cellule'),
      cell: 'Côté d’une cellule',
      covered: 'Bassin couvert',
      missing: fr('Sans donnée'),
    },
    missingDry: fr('Ce qui est sans donnée compte comme sec dans la simulation.'),
    remove: 'Supprimer',
    removeOf: (name: string) => fr(`Supprimer la pluie « ${name} »`),
    removeAsk: (name: string) =>
      fr(`Supprimer la pluie « ${name} » ? Les simulations terminées gardent leurs résultats.`),
  },
} as const
