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
  instant: 'Instant',
  value: 'Valeur',
  cumul: 'Cumul (mm)',
} as const
