import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

const ADJUSTED_BY: Record<string, string> = {
  mfb: 'biais moyen',
  additive: 'additif local',
  multiplicative: 'multiplicatif local',
  mixed: 'mixte local',
  ked: 'krigeage à dérive externe',
}

/** Texts of the analysis screen; strings that the specification gives are kept letter by letter. */
export const analysisTexts = {
  productsLoading: 'Chargement des produits',
  help: 'Aide',
  edit: 'Modifier la sélection',
  loadingArchive: 'Chargement des images et des mesures',
  cancel: 'Annuler',
  adjustedShown: (method: string, mode: string) =>
    fr(
      `Carte : pluie ajustée aux pluviomètres (${ADJUSTED_BY[method]}, ${mode === 'live' ? 'direct' : 'réanalyse'}). Chiffres et graphiques : radar d’origine.`,
    ),
  showOriginal: fr('Voir l’original'),
  retry: 'Réessayer',
  unknownCatchment: (key: string) =>
    fr(`Le bassin « ${key} » que nomme l’adresse n’existe pas ici. Choisissez-en un dans la liste.`),
  mismatch: (images: number, slides: number) =>
    fr(
      `Le serveur a renvoyé ${countFr(images, 'image')} alors que ${formatNumberFr(slides)} étaient attendues : les images de la période ont changé entre-temps. Rechargez-la pour toutes les voir.`,
    ),
  reload: 'Recharger',
  archiveLoading: (images: number, total: number) =>
    `Mesures reçues : ${formatNumberFr(images)} images sur ${formatNumberFr(total)}`,
  framesLoading: (loaded: number, total: number) =>
    `Images sur la carte : ${formatNumberFr(loaded)} sur ${formatNumberFr(total)}`,
  stepped: (step: string) =>
    fr(
      `Images, ${step} : une image du radar à la fois, telle quelle. Les cumuls, le maximum et les parts manquantes tiennent compte de toutes les images.`,
    ),
  cumulTooLong: (days: number) => `La carte des cumuls prend ${days} jours au plus.`,
  mrrTooLong: (days: number) => `Le micro radar se regarde sur ${days} jours au plus.`,
  frames: 'Chargement des images de la carte',
  view: { label: 'Carte', intensity: 'Intensité', cumul: 'Cumul' },
  cumulLoading: 'Calcul du cumul...',
  keys: [
    { key: 'Z', action: 'lecture ou pause' },
    { key: 'Q', action: 'image précédente' },
    { key: 'D', action: 'image suivante' },
  ],
  keysTitle: 'Clavier',
  graphs: 'Graphiques',
  catchmentHyetogram: (name: string) => `Hyétogramme du bassin ${name}`,
  figures: {
    rmoyen: 'Rmoyen',
    max: 'Maximum',
    coverage: 'Couverture',
    cumul: 'Cumul moyen',
    catchment: 'Bassin',
  },
  mrr: {
    title: 'Micro radar de pluie',
    pixel: 'Pixel du radar au-dessus du micro radar',
    picture: fr('Contenu en eau liquide : la hauteur au-dessus du micro radar selon le temps'),
    rate: (height: string) => `Micro radar à ${height}`,
    /** Below the picture, where the pointer is. */
    reading: (instant: string, height: string, value: string) => fr(`${instant}, ${height} : ${value}`),
    time: 'Instant',
    mostLwc: fr('Maximum d’eau liquide (g/m³)'),
    mostAt: fr('Hauteur du maximum (m)'),
    nearGround: fr('Intensité près du sol (mm/h)'),
    hint: fr('Contenu en eau liquide, hauteur en km. Gris : rien n’a été mesuré.'),
    outside: 'Le micro radar est hors de ce produit.',
    dry: (share: string) =>
      fr(`Aucune eau au-dessus du micro radar pendant cette période, mesurée à ${share}.`),
    pixelDry: fr('Le radar n’y a pas vu de pluie non plus.'),
  },
  synthesis: {
    title: 'Synthèse',
    rarity: (period: string, duration: string, table: string) =>
      fr(`Période de retour : ${period} sur ${duration} (${table})`),
    product: 'Produit radar',
    place: 'Bassin versant',
    zone: 'toute la zone du radar',
    period: 'Période',
    duration: 'Durée',
    frames: 'Images',
    missing: 'Part manquante',
    mean: 'Intensité moyenne de la zone',
    rmoyen: 'Rmoyen, moyenne des images',
    max: 'Maximum',
    maxAt: (date: string, place: string) => `le ${date}, ${place}`,
    showMax: 'Voir sur la carte',
    zoneMm: 'Cumul moyen de la zone',
    catchmentMm: (name: string) => `Cumul ${name}`,
    gauge: (n: number, place: string) => `Cumul du pluviomètre ${n} (${place})`,
    dry: 'Pas de pluie',
  },
  save: {
    title: 'Enregistrer la sélection',
    name: 'Titre',
    comment: 'Commentaire',
    submit: 'Enregistrer',
    saving: 'Enregistrement...',
    success: 'Votre sélection a été enregistré',
    count: (length: number, most: number) => `${length} / ${most}`,
    tooLong: (most: number) => `${most} caractères au plus`,
  },
  simulate: 'Simuler l’inondation avec cette pluie',
  sponsors: 'Partenaires',
  helpDialog: {
    title: 'Aide de l’analyse',
    guide: 'Un exemple, pas à pas',
    sections: [
      {
        title: 'Quoi et où',
        text: 'Choisissez le produit radar, puis un bassin ou un sous-bassin dans la liste ou sur la carte. Un second clic sur le même bassin le désélectionne : le calendrier montre alors toute la zone pluvieuse.',
      },
      {
        title: 'Quand',
        text: 'Chaque jour du calendrier porte la couleur de son Rmoyen le plus fort, sur le bassin choisi. Cliquez sur un jour, puis sur une heure du tableau : c’est le début. Une seconde heure, du même jour ou d’un autre, est la fin ; l’image de la fin elle-même n’est pas comprise. Au-delà de sept jours, vous pouvez ne charger qu’une image par quart d’heure, par heure ou par jour.',
      },
      {
        title: 'Se corriger',
        text: 'La flèche revient d’un pas : elle libère d’abord l’heure de fin, puis l’heure de début. La corbeille efface toutes les dates.',
      },
      {
        title: 'Lire les graphiques',
        text: 'Rmoyen est la moyenne des pixels où il pleut, en mm/h ; la couverture est leur part, en %. La courbe est le cumul, en mm, sur l’axe de droite. Les périodes sans image sont grisées et ne comptent pas dans le cumul. Un clic dans un graphique place la carte à cet instant.',
      },
      {
        title: 'Pluviomètres',
        text: 'Un clic sur la carte, dans un bassin d’analyse, place un pluviomètre sur le pixel du radar : son hyétogramme et son cumul apparaissent à côté. La croix le retire.',
      },
      {
        title: 'Partager',
        text: 'L’adresse de la page contient la sélection, l’instant affiché et les pluviomètres : envoyez-la à un collègue, il verra la même chose.',
      },
    ],
  },
} as const
