import type { TokenScope } from '@radx/contracts/access-tokens'
import { fr } from './typography.ts'

/** Texts of personal access tokens. */
export const tokenTexts = {
  title: fr("Jetons d'accès"),
  help: fr(
    "Un jeton ouvre à un programme (carnet Python, QGIS, supervision) ce que ce compte peut lire ou faire, sans son mot de passe. Il s'envoie dans l'en-tête Authorization, jamais dans une adresse.",
  ),
  none: fr('Aucun jeton.'),
  add: 'Nouveau jeton',
  name: 'Nom',
  nameHint: fr('À quoi il sert, par exemple : carnet de Paul.'),
  scopes: fr('Ce qu’il peut faire'),
  scope: {
    read: fr('Lire la pluie, les pluviomètres et les résultats'),
    grids: fr('Télécharger les grilles exactes'),
    run: fr('Lancer des simulations, enregistrer et modifier'),
    manage: fr('Administrer la plateforme'),
  } satisfies Record<TokenScope, string>,
  days: fr("Jours jusqu'à son expiration"),
  daysHint: (max: number) => fr(`${max} au plus.`),
  from: fr('Données à partir du (facultatif)'),
  to: fr('Données avant le (facultatif)'),
  datesHint: fr('Dans les dates du compte, qui comptent toujours.'),
  create: 'Créer le jeton',
  cancel: 'Annuler',
  shown: (name: string) => fr(`Jeton « ${name} »`),
  shownHelp: fr('Il ne sera plus montré : le copier maintenant.'),
  copy: 'Copier',
  copied: 'Copié',
  kept: fr("Je l'ai copié"),
  revoke: 'Révoquer',
  revokeLabel: (name: string) => fr(`Révoquer le jeton : ${name}`),
  revoked: fr('Jeton révoqué : plus aucun appel ne passe.'),
  failed: fr('La liste des jetons n’a pas pu être chargée.'),
  expires: (at: string) => fr(`Expire le ${at}.`),
  used: (at: string, address: string | null) =>
    fr(address === null ? `Utilisé le ${at}.` : `Utilisé le ${at}, depuis ${address}.`),
  unused: fr('Jamais utilisé.'),
  dates: (from: string | null, to: string | null) =>
    fr(
      from && to
        ? `Données du ${from} au ${to}.`
        : from
          ? `Données à partir du ${from}.`
          : `Données avant le ${to}.`,
    ),
} as const
