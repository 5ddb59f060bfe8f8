import { fr } from './typography.ts'

/** Texts of the consent. Strings of the specification are kept letter by letter. */
export const consentTexts = {
  title: fr('Cookies et mesure d’audience'),
  text: fr(
    'RadX peut compter les visites pour savoir quelles pages servent. Rien ne quitte votre navigateur sans votre accord, et tout fonctionne aussi sans lui.',
  ),
  accept: "Oui je suis d'accord",
  refuse: 'Interdire',
  more: "Plus d'informations",
  management: 'Gestion des cookies',
  managementText: fr(
    'Vous choisissez ce que RadX peut garder ou transmettre. Le choix reste dans votre navigateur et peut être changé à tout moment depuis la page « À propos ».',
  ),
  required: 'Essentiels',
  alwaysOn: 'Toujours actifs',
  requiredText: fr(
    'Session de connexion, mode d’affichage, position demandée sur la carte et votre choix sur cette page. Ils restent dans le stockage local de votre navigateur ; sans eux, il faudrait se reconnecter à chaque page.',
  ),
  analytics: fr('Mesure d’audience'),
  analyticsText: fr(
    'Pages vues, produit radar choisi et taille de l’écran, transmis à un service de statistiques. Ni votre nom, ni les lieux et périodes consultés ; aucun identifiant n’est gardé sur votre machine.',
  ),
  analyticsNone: fr(
    'Aucun service de statistiques n’est configuré sur cette installation : rien n’est transmis.',
  ),
  save: 'Enregistrer et continuer',
} as const
