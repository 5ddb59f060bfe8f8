import { fr } from './typography.ts'

/** The read-only view on pages of other sites. */
export const embedTexts = {
  title: (site: string) => fr(`Pluie en direct, ${site}`),
  open: (site: string) => fr(`Ouvrir dans ${site}`),
  loading: 'Chargement…',
  none: fr('Aucune image du radar pour le moment.'),
  down: fr('Le radar ne donne plus d’image depuis plus de 15 minutes.'),
  failed: fr('Les images n’ont pas pu être lues. La vue réessaie d’elle-même.'),
  signIn: fr(
    'Cette vue demande une connexion, qu’une page intégrée n’utilise jamais. L’ouvrir sur la plateforme.',
  ),
  time: 'Moment de l’image',
} as const
