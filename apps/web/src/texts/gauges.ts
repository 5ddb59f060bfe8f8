/** Texts of the pixel gauges, on both maps. */
export const gaugeTexts = {
  title: 'Pluviomètres',
  hint: "Cliquer sur la carte, dans un bassin d'analyse, pour y placer un pluviomètre.",
  hintManager:
    "Cliquer sur la carte, dans un bassin d'analyse ou n'importe où dans la couverture du radar, pour y placer un pluviomètre.",
  outsideBasins: "Ce point est hors des bassins d'analyse : cliquez à l’intérieur d’un bassin.",
  outsideLayers: 'Ce point est hors des couches de votre compte : cliquez à l’intérieur de l’une d’elles.',
  outsideCoverage: 'Ce point est hors de la couverture du radar : cliquez à l’intérieur.',
  outsideProduct: 'Ce pluviomètre est hors du produit affiché.',
  name: (n: number) => `Pluviomètre ${n}`,
  remove: (n: number) => `Retirer le pluviomètre ${n}`,
  clicked: 'Point choisi',
  cumul: 'Cumul',
  noData: 'Sans donnée',
  at: (time: string) => `à ${time}`,
  most: (rate: string, instant: string) => `Maximum ${rate} mm/h, image du ${instant}`,
  dry: 'Pas de pluie sur la période',
  loading: 'Chargement...',
  retry: 'Réessayer',
  dismiss: 'Fermer',
  missing: (share: string) => `${share} de la période sans donnée`,
} as const
