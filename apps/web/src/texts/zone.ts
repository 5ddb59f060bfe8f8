/** Of the application without a network. */
export const offlineTexts = {
  offline: 'Hors ligne',
  kept: 'Sans réseau\u202f: les dernières images gardées sont affichées.',
} as const

/** Of the switch between UTC and local time. */
export const zoneTexts = {
  /** `Europe/Paris` as people say it. */
  townOf: (zone: string) => zone.split('/').at(-1)!.replaceAll('_', '\u00a0'),
  toUtc: (town: string) => `Heure de ${town}\u202f: afficher les heures en UTC`,
  toLocal: (town: string) => `Heures UTC\u202f: afficher l’heure de ${town}`,
  pickers: (town: string) => `Les jours et heures à choisir restent en heure de ${town}.`,
} as const
