/** Texts of the shell. Strings that the specification gives are kept letter by letter. */
export const shellTexts = {
  productName: 'RadX',
  skipToContent: 'Aller au contenu',
  mainNavigation: 'Navigation principale',
  openMenu: 'Ouvrir le menu',
  nav: {
    live: 'Direct',
    analysis: 'Analyse',
    mrr: 'Micro radar',
    simulation: 'Simulation (Multi-Hydro)',
    networks: 'Réseaux',
    about: 'À propos',
    admin: 'Administration',
    account: 'Compte',
  },
  guide: 'Guide',
  otherLanguage: {
    code: 'en',
    name: 'English',
    offer: { text: 'This site is also in English.', take: 'Read it in English', leave: 'No thanks' },
  },
  signIn: 'Se connecter',
  account: (name: string) => `Compte de ${name}`,
  toDark: 'Passer en affichage sombre',
  toLight: 'Passer en affichage clair',
  chair: 'Chaire Hydrologie pour une ville résiliente',
  partners: 'Partenaires',
  version: (version: string) => `Version ${version}`,
  close: 'Fermer',
  loading: 'Chargement...',
  retry: 'Réessayer',
  reload: 'Actualiser la page',
  backHome: 'Revenir au direct',
} as const

/** Of a part of the page that did not come. */
export const partTexts = {
  offline: 'Pas de réseau\u202f: cette partie de la page viendra dès qu’il sera de retour.',
  waits: 'En attente du réseau',
  back: 'Le serveur répond de nouveau\u202f: actualiser la page pour afficher cette partie.',
  silent: 'Le serveur ne répond pas\u202f: cette partie de la page viendra dès qu’il répondra.',
} as const

export const errorTexts = {
  unknownCode: '!',
  defaultMessage: "De nouvelles données sont disponibles, merci d'actualiser la page.",
  serverFault:
    'Désolé une erreur est survenue côté serveur. Nous travaillons à la résolution de cet incident aussi rapidement que possible. Merci de réessayer plus tard.',
  notFoundTitle: 'Page introuvable',
  notFound: 'Cette adresse ne correspond à aucune page. Vérifiez le lien, ou revenez au direct.',
  relogin: ' You may need to relogin.',
  failedStatus: (status: number) => `La requête a échoué avec le code ${status}`,
  network: 'Le serveur ne répond pas. Vérifiez la connexion au réseau, puis réessayez.',
  timeout: 'Le serveur n’a pas répondu à temps. Réessayez dans quelques instants.',
  unreadable: 'La réponse du serveur est illisible.',
} as const
