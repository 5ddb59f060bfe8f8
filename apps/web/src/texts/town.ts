import { fr } from './typography.ts'

/** Texts of maps of a town and its water. */
export const townTexts = {
  from: (cm: string) => fr(`${cm} cm et plus`),
  between: (from: string, to: string) => fr(`${from} à ${to} cm`),
  shownFrom: 'Eau montrée',
  shownFromCm: (cm: number) => fr(`à partir de ${cm} cm`),
  ownClasses: 'selon mes classes',
  limits: 'Limites des classes (cm)',
  limitsHelp: fr('Sept au plus, croissantes, séparées par des espaces'),
  limitsWrong: fr('Écrivez de une à sept hauteurs croissantes, en cm.'),
  depth: fr('Hauteur d’eau'),
  maximum: (duration: string) => fr(`Hauteur d’eau maximale sur ${duration}`),
  now: (time: string) => fr(`Hauteur d’eau à ${time}`),
  fitCatchment: 'Voir tout le bassin',
  fitChange: 'Voir ce qui change',
} as const
