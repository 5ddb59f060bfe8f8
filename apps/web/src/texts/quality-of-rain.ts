/** Texts about how far the rain of an image can be trusted. */
export const qualityTexts = {
  choice: 'Qualité de la pluie',
  title: 'Qualité',
  legend: 'Qualité de la pluie, de 0 à 1',
  unknown: 'Inconnue',
  figure: 'Qualité',
  beside: (mean: string) => `qualité ${mean}`,
  besidePart: (mean: string, share: string) => `qualité ${mean}, connue pour ${share} % du temps`,
} as const
