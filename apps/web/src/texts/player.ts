/** Texts of the player that both maps have. */
export const playerTexts = {
  region: 'Commandes de lecture',
  previous: 'Image précédente (Q)',
  next: 'Image suivante (D)',
  play: 'Lecture (Z)',
  pause: 'Pause (Z)',
  time: 'Instant affiché',
  opacity: 'Opacité',
  framesLoading: (loaded: number, total: number) => `Images ${loaded} sur ${total}`,
  now: 'à l’instant',
  ago: (n: number, unit: 'min' | 'h' | 'j' | 'mois' | 'ans') => `il y a ${n}\u202f${unit}`,
  instant: 'Instant',
  value: 'Valeur',
  noValues: 'Pas encore de valeurs à tracer.',
  cumul: 'Cumul (mm)',
  /** How totals take the rain between two images. */
  method: {
    moved: 'Cumul : pluie déplacée entre les images',
    raw: 'Cumul : images tenues fixes',
    waiting: 'Cumul : images tenues fixes, le déplacement de la pluie n’est pas encore calculé',
    toRaw: 'Voir sans déplacement',
    toMoved: 'Voir avec déplacement',
  },
} as const
