import { reportTitle } from './report-title.ts'
import { fr } from './typography.ts'

/** Texts of the page of a report; the report itself comes from the server. */
export const reportTexts = {
  title: reportTitle,
  loading: fr('Préparation du rapport : lecture des images, cartes et graphiques...'),
  pdf: 'Enregistrer en PDF',
  copy: 'Copier le lien',
  copied: 'Lien copié',
  toAnalysis: 'Ouvrir la période dans l’analyse',
  toRun: 'Ouvrir la simulation',
  incomplete: fr('L’adresse ne dit pas quelle période : il manque le produit, le début ou la fin.'),
  retry: 'Réessayer',
  page: 'Rapport (page)',
  pageOf: (title: string) => `Rapport de « ${title} »`,
} as const
