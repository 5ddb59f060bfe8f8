import { fr } from './typography.ts'

/** Texts of the exports; strings that the specification gives are kept letter by letter. */
export const exportTexts = {
  title: 'Export des données',
  graph: (name: string) => `Enregistrer le graphique « ${name} » en image`,
  adjustedGraph: (name: string) => fr(`Enregistrer le graphique « ${name} » du produit ajusté en image`),
  report: 'Rapport (pdf)',
  spreadsheet: 'Tableur (xlsx)',
  csv: 'Hyétogrammes (csv)',
  raster: 'Raster autour du bassin (json)',
  rasterOf: (title: string) => `Raster de « ${title} » (json)`,
  geotiff: 'Image affichée en GeoTIFF',
  adjusted: fr(
    'La carte montre le produit ajusté : tous ces fichiers et les images des graphiques le portent, avec son nom et son facteur.',
  ),
  limit: (days: number) => `${days} jours au plus`,
  overLimit: (label: string, days: number) =>
    fr(`${label} : ${days} jours au plus, la période est plus longue`),
  working: 'Préparation...',
  saved: 'Fichier enregistré',
  netcdf: 'Grilles (netCDF)',
  zarr: 'Grilles (Zarr)',
  progress: (percent: number) => fr(`Préparation : ${percent} %`),
  ready: (name: string) => `${name} prêt`,
  download: 'Télécharger',
  remove: 'Supprimer',
  removeThis: (name: string) => `Supprimer ${name}`,
  kept: 'Exports gardés',
  loadingKept: 'Chargement des exports...',
  removed: (name: string) => `${name} supprimé`,
  noneKept: 'Aucun export gardé.',
  keptOf: (product: string, start: string) => `${product}, ${start}`,
  keptUntil: (end: string) => `gardé jusqu’au ${end}`,
  downloadThis: (name: string) => `Télécharger ${name}`,
  errorTitle: 'Erreur',
  graphError: (message: string) => `Une erreur est survenu avec le message suivant: ${message}`,
  jobFailed: 'L’export a échoué sans dire pourquoi. Réessayez.',
} as const
