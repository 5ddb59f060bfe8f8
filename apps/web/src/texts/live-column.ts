/** Texts of the live page's column and dialogs; strings that the specification gives are kept letter by letter. */
export const columnTexts = {
  titles: {
    params: "Paramètres d'acquisition",
    mrr: 'Micro radar de pluie',
    message: 'Message',
  },
  products: {
    title: 'Produit radar',
    inactive: 'Produit non-intégré pour le moment',
    current: 'Affiché',
  },
  figures: {
    rmoyen: 'Rmoyen',
    coverage: 'Couverture',
    max: 'Maximum',
    cumul: 'Cumul moyen',
  },
  mrr: {
    alt: 'Dernière image du micro radar de pluie : contenu en eau liquide par hauteur et par temps',
    dry: 'Pas de pluie au-dessus du micro radar pendant la dernière heure mesurée.',
    link: 'Explorer le micro radar',
    none: 'Pas d’image récente du micro radar de pluie.',
  },
  params: {
    version: 'Version du produit',
    name: 'Nom du produit',
    datetime: 'Date de référence',
    sensor: 'Capteur',
    wavelength: "Longueur d'onde",
    beamwidth: 'Ouverture du faisceau',
    altitude: 'Altitude',
  },
  configuration: {
    title: 'Configuration',
    reference: 'Repères de la carte',
    rings: 'Cercles de distance',
    towns: 'Villes',
    rivers: 'Cours d’eau',
    bounds: 'Emprise du produit',
  },
} as const
