import { fr } from './typography.ts'

/** Texts around the guide; its pages are written in docs/guide. */
export const guideTexts = {
  title: 'Guide',
  pages: 'Pages du guide',
  lead: fr(
    'Quatre exemples, pas à pas, sur les données de la démonstration. Chacun tient en dix minutes ; les gestes et les touches sont rappelés dans « À propos ».',
  ),
  tour: 'Refaire la visite du direct',
  enlarge: (text: string) => fr(`Agrandir : ${text}`),
  guides: {
    visiteur: {
      short: 'Visiteur',
      about: fr('Sans compte : le direct, la prévision, le micro radar.'),
    },
    hydrologue: {
      short: 'Hydrologue',
      about: fr("De l'orage de la veille à sa période de retour, puis aux rues inondées."),
    },
    astreinte: {
      short: "Ingénieur d'astreinte".replace("'", '’'),
      about: fr('Que fait la pluie maintenant, que fera-t-elle dans une heure, que noter ?'),
    },
    exploitant: {
      short: 'Exploitant',
      about: fr('Brancher un radar, surveiller, sauvegarder, donner des accès.'),
    },
  },
} as const
