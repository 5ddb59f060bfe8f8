import { MRR } from '@radx/contracts/mrr-constants'
import { fr } from './typography.ts'

/** Texts of the micro rain radar page. Strings that the specification gives are kept letter by letter. */
export const mrrTexts = {
  title: fr('Micro radar de pluie'),
  lead: fr(
    `Un micro radar de pluie regarde droit vers le haut. À ${String(MRR.frequencyGhz).replace('.', ',')} GHz (longueur d'onde ${String(MRR.wavelengthCm).replace('.', ',')} cm), il distingue les gouttes par leur vitesse de chute et donne, toutes les ${MRR.averagingSeconds} secondes, un profil vertical de ${MRR.gates} portes de ${MRR.gateM} m, soit une colonne de plus de 4 000 m. On y lit ce que le radar de surface ne voit pas : la couche de fusion, les traînées de pluie, le début et la fin d'une averse en altitude.`,
  ),
  facts: [
    { value: '24,2', unit: 'GHz', label: fr('Fréquence') },
    { value: '1,24', unit: 'cm', label: fr("Longueur d'onde") },
    { value: '128 × 35', unit: 'm', label: fr('Portes') },
    { value: '10', unit: 's', label: fr('Moyenne') },
    { value: fr('> 4 000'), unit: 'm', label: fr('Colonne') },
  ],
  how: {
    title: fr('Comment il mesure'),
    play: fr("Lancer l'animation"),
    pause: fr("Arrêter l'animation"),
    step: (step: number) => fr(`Étape ${step + 1} sur 4`),
    steps: [
      {
        title: fr('Émettre vers le haut'),
        text: fr(
          "L'antenne envoie une onde continue, modulée en fréquence, à la verticale. Le faisceau est étroit : il ne voit que la colonne d'air au-dessus de lui.",
        ),
      },
      {
        title: fr('Séparer les hauteurs'),
        text: fr(
          "Le retard de l'écho donne la hauteur. La colonne est découpée en 128 portes de 35 m, des toits jusqu'à plus de 4 000 m.",
        ),
      },
      {
        title: fr('Peser les gouttes par leur chute'),
        text: fr(
          "Une grosse goutte tombe plus vite qu'une petite. Le décalage Doppler donne, dans chaque porte, la vitesse des gouttes et donc leur nombre par taille.",
        ),
      },
      {
        title: fr('Additionner leur eau'),
        text: fr(
          "La somme des volumes donne le contenu en eau liquide, en grammes par mètre cube d'air. Toutes les 10 s, un nouveau profil s'ajoute à l'image.",
        ),
      },
    ],
  },
  demo: {
    title: fr('Une heure de démonstration'),
    text: fr(
      'Cette heure est ouverte à tous. Le réglage des couleurs, le calendrier et toutes les autres heures demandent une connexion.',
    ),
    signIn: 'Se connecter',
    none: fr("L'heure de démonstration n'est pas encore disponible."),
  },
  settings: {
    title: fr('Couleurs'),
    palette: fr('Palette'),
    threshold: fr('Seuil supérieur'),
  },
  calendar: {
    title: fr('Maximum par jour'),
    without: fr(
      "Maximum hors couche de fusion : la neige qui fond renvoie bien plus d'écho qu'elle ne porte d'eau, et cacherait les averses.",
    ),
    year: fr('Année'),
    none: fr("Aucune mesure n'est encore enregistrée."),
    day: (date: string, value: string) => fr(`${date} : maximum ${value} g/m³`),
    noData: 'Pas de données',
    pick: 'Sélectionner une journée dans le calendrier',
  },
  hours: {
    title: (date: string) => fr(`Maxima de 5 minutes, ${date}`),
    none: fr('Pas de mesure ce jour-là.'),
    dry: fr('Pas de pluie ce jour-là : le trait gris montre quand l’instrument a mesuré.'),
    pick: fr('Cliquez sur une barre pour choisir le début de l’heure à explorer.'),
    label: fr("Début de l'heure à explorer"),
    time: 'Heure',
    most: fr('Maximum d’eau liquide (g/m³)'),
  },
  explorer: {
    title: (from: string, to: string) => fr(`Profils de ${from} à ${to}`),
    variable: fr('Grandeur'),
    max: fr('Valeur maximale'),
    fit: fr('Échelle ajustée à cette heure'),
    melting: 'Couche de fusion',
    meltingAt: (bottom: string, top: string, share: string) =>
      fr(
        `Couche de fusion : de ${bottom} à ${top} m, dans ${share} % des profils. La neige y fond ; son éclat passe pour de l'eau et n'entre pas dans l'échelle ajustée.`,
      ),
    noMelting: fr('Pas de couche de fusion reconnue pendant cette heure.'),
    play: 'Lecture',
    pause: 'Pause',
    time: fr('Instant du profil'),
    height: fr('Hauteur (m)'),
    profile: fr('Profil vertical'),
    none: fr('Pas de profil pendant cette heure. Choisissez une autre heure.'),
    dry: (profiles: string) =>
      fr(`Pas de pluie pendant cette heure : ${profiles}, aucun avec de l’eau au-dessus de l’instrument.`),
    summary: fr('Profils de l’heure, de cinq en cinq minutes'),
    from: 'De',
    profiles: 'Profils',
    most: 'Maximum :',
    mostAt: fr('Hauteur du maximum (m)'),
    heatmap: fr('Profils en fonction du temps et de la hauteur'),
    reading: (time: string, height: string, value: string) => fr(`${time}, ${height} m : ${value}`),
    download: fr('Télécharger cette heure'),
    csv: 'CSV',
    netcdf: 'netCDF',
    png: 'PNG',
    failed: fr('Le téléchargement a échoué. Réessayez.'),
  },
  loading: 'Chargement des données...',
} as const
