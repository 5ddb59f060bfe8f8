import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of the screen about catchments. */
export const catchmentTexts = {
  title: 'Bassins versants',
  build: 'Construire un bassin versant, pas à pas',
  lead: fr(
    'Les villes que l’on peut simuler : celles de la plateforme, les vôtres et celles que d’autres partagent avec vous.',
  ),
  drop: fr('Déposez ici le zip d’un bassin versant'),
  dropHere: fr('Lâchez pour ajouter'),
  choose: 'Choisir un fichier',
  limits: fr(
    '64 Mio au plus. Le zip du dossier, avec catchment.json ; un bassin à vous du même identifiant reçoit une nouvelle version.',
  ),
  noRight: fr('Ajouter des bassins versants demande un droit que donne un gestionnaire de la plateforme.'),
  added: (name: string) => fr(`« ${name} » est là. Vous seul le voyez, jusqu’à ce que vous le partagiez.`),
  newVersion: (name: string) =>
    fr(`« ${name} » a une nouvelle version ; les simulations faites gardent la leur.`),
  same: (name: string) => fr(`« ${name} » est déjà là, sans changement.`),
  warnings: (count: number) => fr(`${countFr(count, 'remarque')} sur son contenu :`),
  refused: (name: string, count: number) =>
    fr(`${name} n’a pas été ajouté. ${count > 1 ? `${count} points sont` : 'Un point est'} à corriger :`),
  failed: (name: string, why: string) => fr(`${name} n’a pas été ajouté : ${why}`),
  sections: {
    mine: 'Les vôtres',
    shared: fr('Partagés par d’autres'),
    site: fr('De la plateforme'),
  },
  scope: 'Bassins montrés',
  seen: fr('Ceux que je vois'),
  all: 'Ceux de tous',
  loading: fr('Chargement des bassins versants…'),
  none: fr('Aucun bassin versant pour l’instant.'),
  noneMine: fr('Vous n’en avez pas encore. Déposez-en un ci-dessus.'),
  retry: 'Réessayer',
  cells: (ncols: number, nrows: number, sizeM: number) =>
    fr(`${formatNumberFr(ncols)} × ${formatNumberFr(nrows)} mailles de ${formatNumberFr(sizeM, 1, true)} m`),
  area: (km2: number) => fr(`${formatNumberFr(km2, km2 < 10 ? 2 : 1)} km²`),
  runs: (count: number) => countFr(count, 'simulation'),
  versions: (count: number) => countFr(count, 'version'),
  size: (bytes: number) =>
    fr(bytes < 1e6 ? `${formatNumberFr(bytes / 1e3)} ko` : `${formatNumberFr(bytes / 1e6, 1)} Mo`),
  owner: (name: string) => fr(`de ${name}`),
  changed: (at: string) => fr(`version du ${at}`),
  synthetic: 'synthétique',
  sharings: {
    private: 'Privé',
    named: fr('Comptes nommés'),
    all: 'Tous les comptes',
  },
  sharedWith: (count: number) => fr(`Partagé avec ${countFr(count, 'compte')}`),
  sharedWithMe: fr('Partagé avec vous'),
  fit: fr('Caler sur des mesures'),
  fitOf: (name: string) => fr(`Caler sur des mesures : ${name}`),
  run: fr('Lancer une simulation'),
  runOn: (name: string) => fr(`Lancer une simulation sur ${name}`),
  more: (name: string) => fr(`Gérer ${name}`),
  download: fr('Télécharger'),
  downloadOf: (name: string) => fr(`Télécharger ${name}`),
  addVersion: fr('Ajouter une version'),
  rename: 'Renommer',
  renameOf: (name: string) => fr(`Renommer ${name}`),
  name: fr('Nom du bassin versant'),
  share: 'Partager',
  shareOf: (name: string) => fr(`Partager ${name}`),
  remove: 'Supprimer',
  removeOf: (name: string) => fr(`Supprimer ${name}`),
  removeAsk: (name: string, runs: number) =>
    fr(
      runs === 0
        ? `Supprimer « ${name} » avec toutes ses versions ?`
        : `Supprimer « ${name} » ? ${runs > 1 ? `Ses ${runs} simulations restent lisibles` : 'Sa simulation reste lisible'} ; on ne peut plus en lancer.`,
    ),
  save: 'Enregistrer',
  cancel: 'Annuler',
  sharing: {
    title: (name: string) => fr(`Qui voit « ${name} » ?`),
    choices: {
      private: fr('Moi seul'),
      named: fr('Les comptes que je nomme'),
      all: fr('Tous les comptes'),
    },
    help: {
      private: fr('Les gestionnaires le voient aussi.'),
      named: fr('Ils peuvent le simuler, voir les simulations qui y sont faites, et le télécharger.'),
      all: fr('Chacun peut le simuler, voir les simulations qui y sont faites, et le télécharger.'),
    },
    names: 'Noms des comptes',
    namesHelp: fr('Un par ligne, ou séparés par des virgules.'),
    less: fr('Qui ne le voit plus garde ses propres simulations.'),
  },
}
