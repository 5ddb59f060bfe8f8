/** Texts of the live page's map and control bar; strings that the specification gives are kept letter by letter. */
export const liveTexts = {
  radarDown: 'We apologise for the present data updating interruption.',
  latestImage: (time: string) => `Dernière image : ${time}`,
  mapLoading: 'Chargement de la carte...',
  loading: 'Chargement des images radar...',
  empty: 'Aucune image radar n’est encore arrivée. La page se met à jour dès que la première est là.',
  making:
    'La démonstration prépare ses images\u202f: elles s’affichent dès qu’elles sont là, en quelques secondes.',
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
    stale: {
      offline: 'hors ligne',
      silent: 'serveur sans réponse',
      making: 'images en préparation',
      down: 'radar interrompu',
      late: 'image en retard',
    },
    staleTip: {
      offline: 'Pas de réseau\u202f: les images ne se mettent pas à jour',
      silent: 'Le serveur ne répond pas\u202f: les images ne se mettent pas à jour',
      making: 'La démonstration prépare ses images',
      down: 'Le radar n’envoie plus d’image',
      late: 'La prochaine image se fait attendre',
    },
    following: 'La dernière image est affichée',
  },
  column: { fold: 'Replier le panneau', unfold: 'Déplier le panneau', label: 'Mesures' },
} as const
