/** Texts of the live page's map and control bar; strings that the specification gives are kept letter by letter. */
export const liveTexts = {
  radarDown: 'We apologise for the present data updating interruption.',
  latestImage: (time: string) => `Dernière image : ${time}`,
  loading: 'Chargement des images radar...',
  empty:
    'Aucune image radar sur les trois dernières heures. La page se met à jour dès que la suivante arrive.',
  dry: 'Aucune pluie sur les trois dernières heures',
  refreshSpent: 'L’actualisation automatique s’est arrêtée au bout de 4 h.',
  refreshAgain: 'Reprendre',
  refreshFailed: 'La dernière actualisation a échoué, les images affichées restent valables.',
  retry: 'Réessayer',
  momentGone:
    'Le moment demandé par ce lien n’est plus parmi les trois dernières heures : voici la dernière image.',
  controls: {
    recentre: 'Recentrer sur le radar',
    product: (name: string) => `Produit radar : ${name}`,
    configuration: 'Configuration',
    follow: 'Direct',
    followTip: 'Revenir à la dernière image',
    following: 'La dernière image est affichée',
  },
  column: { fold: 'Replier le panneau', unfold: 'Déplier le panneau', label: 'Mesures' },
} as const
