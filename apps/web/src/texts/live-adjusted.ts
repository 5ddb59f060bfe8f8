import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of the live product adjusted to gauges. */
export const liveAdjustedTexts = {
  title: 'Pluie de la carte',
  shown: { original: fr('Radar d’origine.'), adjusted: fr('Ajustée aux pluviomètres.') },
  adjust: 'Ajuster aux pluviomètres',
  adjusting: fr('Ajustement en cours...'),
  factor: (factor: number, gauges: number) =>
    fr(
      `Dernière image : facteur ${formatNumberFr(factor, 2, true)}, d’après ${countFr(gauges, 'pluviomètre')}. Les chiffres et les graphiques restent ceux du radar d’origine.`,
    ),
  onMap: fr('Carte : produit ajusté aux pluviomètres.'),
  showOriginal: 'Voir l’original',
} as const
