/** Texts of the pixel gauges, on both maps. */
export const gaugeTexts = {
  title: 'Pluviomètres',
  hint: "Cliquer sur la carte, dans un bassin d'analyse, pour y placer un pluviomètre.",
  hintManager:
    "Cliquer sur la carte, dans un bassin d'analyse ou n'importe où dans la couverture du radar, pour y placer un pluviomètre.",
  outsideBasins: "Ce point est hors des bassins d'analyse : cliquez à l’intérieur d’un bassin.",
  outsideLayers: 'Ce point est hors des couches de votre compte : cliquez à l’intérieur de l’une d’elles.',
  outsideProduct: 'Ce pluviomètre est hors du produit affiché.',
  name: (n: number) => `Pluviomètre ${n}`,
  remove: (n: number) => `Retirer le pluviomètre ${n}`,
  cumul: 'Cumul',
  loading: 'Chargement...',
  retry: 'Réessayer',
  dismiss: 'Fermer',
  missing: (share: string) => `${share} de la période sans donnée`,
} as const
