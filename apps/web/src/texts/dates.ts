import { fr } from './typography.ts'

export const dateTexts = {
  day: 'jj/mm/aaaa',
  moment: 'jj/mm/aaaa - hh:mm',
  noDay: fr('Écrivez le jour ainsi : 31/12/2026.'),
  noMoment: fr('Écrivez le jour et l’heure ainsi : 31/12/2026 - 14:30.'),
} as const
