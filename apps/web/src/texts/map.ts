import { fr } from './typography.ts'

/** Texts of the map; strings that the specification gives are kept letter by letter. */
export const mapTexts = {
  label: 'Carte radar',
  plain: 'Carte',
  fullscreen: 'Plein écran',
  exitFullscreen: 'Quitter le plein écran',
  zoomIn: 'Zoomer',
  zoomOut: 'Dézoomer',
  recentre: 'Recentrer sur le radar',
  legendTitle: 'Intensité',
  legendUnit: 'mm/h',
  legendNoData: 'Sans donnée',
  cumulTitle: 'Cumul',
  cumulUnit: 'mm',
  layers: 'Couches',
  layersOwn: 'Vos couches',
  layersFailed: 'Erreur au chargement des shapefiles',
  basins: 'Bassins',
  locate: 'Me positionner sur la carte',
  locating: 'Recherche de votre position...',
  myPosition: 'Votre position',
  geolocation: {
    denied:
      'Activer le service de localisation pour afficher votre position sur la carte, puis recharger la page.',
    unavailable:
      "L'acquisition de votre position a échoué : une source de localisation a renvoyé une erreur interne.",
    timeout: 'Le délai de localisation est dépassé, recharger la page.',
    other: 'Erreur lors de la localisation.',
  },
  noWebGl:
    'La carte a besoin de WebGL 2, que ce navigateur ne propose pas. Essayez un navigateur plus récent, ou activez l’accélération graphique.',
  /** What the map shows, in words. */
  statement: {
    dry: 'pas de pluie',
    mean: (mmH: string) => `${mmH} en moyenne là où il pleut`,
    coverage: (share: string) => `pluie sur ${share} de la zone`,
    max: (mmH: string, place: string) => `maximum ${mmH}${place}`,
    at: (km: string, direction: string, town: string) => fr(`, à ${km} km ${direction} de ${town}`),
    inTown: (town: string) => `, à ${town}`,
    missing: (share: string) => `${share} de la zone sans donnée`,
    image: (instant: string, parts: readonly string[]) =>
      fr(`Carte radar, ${instant} : ${parts.join(', ')}.`),
    total: (period: string, mm: string) => fr(`Carte du cumul, ${period} : ${mm} en moyenne sur la zone.`),
    directions: [
      'au nord',
      'au nord-est',
      'à l’est',
      'au sud-est',
      'au sud',
      'au sud-ouest',
      'à l’ouest',
      'au nord-ouest',
    ],
  },
  library: {
    'Map.Title': 'Carte radar',
    'ScaleControl.Kilometers': 'km',
    'ScaleControl.Meters': 'm',
  },
} as const
