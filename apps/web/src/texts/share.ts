import { fr } from './typography.ts'

/** Pictures, animations, links and read-only views that leave the page. */
export const shareTexts = {
  title: 'Partager',
  loading: 'Préparation…',
  nothing: fr('La carte n’est pas encore prête. Réessayer dans un instant.'),
  picture: {
    title: 'Image',
    help: fr('La carte telle qu’elle est affichée, avec sa légende, son heure, son échelle et ses sources.'),
    make: 'Enregistrer l’image (PNG)',
    done: 'L’image est enregistrée.',
    failed: fr('L’image n’a pas pu être faite. Réessayer ; si elle échoue encore, recharger la page.'),
  },
  film: {
    title: 'Animation',
    help: fr('Faite dans ce navigateur, sans rien envoyer. L’onglet doit rester ouvert jusqu’à la fin.'),
    none: fr('Rien ne bouge sur cette vue : il n’y a pas d’animation à en faire.'),
    of: (title: string, count: string) => fr(`${title} : ${count}.`),
    thinned: (taken: string, count: string) => fr(`${taken} sur ${count}, à intervalles égaux.`),
    format: 'Format',
    formats: { mp4: 'MP4', webm: 'WebM', gif: 'GIF' },
    size: 'Taille',
    sizes: { 720: '1280 × 720', 1080: '1920 × 1080' },
    speed: 'Vitesse',
    speeds: { 5: 'lente (5 images/s)', 10: 'normale (10 images/s)', 20: 'rapide (20 images/s)' },
    make: 'Faire l’animation',
    cancel: 'Annuler',
    cancelled: 'L’animation est annulée.',
    backdrop: 'Dessin du fond de carte…',
    progress: (percent: string) => fr(`Animation en cours : ${percent} %`),
    done: (name: string, size: string) => fr(`${name} est enregistré (${size}).`),
    codec: (codec: string) =>
      fr(
        `Ce navigateur ne sait pas écrire le H.264 : la vidéo est en ${codec}, que certains lecteurs anciens ignorent.`,
      ),
    insecure: fr(
      'Les vidéos ne peuvent être faites que sur une page en https : ouvrir la plateforme à son adresse en https, ou choisir le GIF.',
    ),
    unable: fr(
      'Ce navigateur ne sait pas encoder de vidéo. Choisir le GIF, ou un navigateur récent : Chrome ou Edge 94, Firefox 130, Safari 16.4.',
    ),
    noCodec: fr(
      'Ce navigateur n’a d’encodeur pour aucun format de cette vidéo. Choisir un autre format, ou le GIF.',
    ),
    failed: fr('L’animation s’est arrêtée. Réessayer en 1280 × 720, ou choisir un autre format.'),
  },
  link: {
    title: 'Lien',
    address: 'Adresse de cette vue',
    help: fr('Qui l’ouvre voit la même chose, s’il en a les droits : un lien n’en donne aucun.'),
    copy: 'Copier',
    copied: 'Copié',
    shorten: 'Faire un lien court',
    short: 'Lien court',
    name: 'Nom du lien',
    nameHint: 'Lettres, chiffres et tirets ; laissé vide, il est choisi au hasard.',
    signIn: 'Connectez-vous pour faire un lien court.',
    until: (date: string) => fr(`Valable jusqu’au ${date}. Vos liens sont dans votre compte.`),
  },
  embed: {
    title: 'Intégrer',
    help: fr('Ce code montre la vue, en lecture seule, sur une page d’un autre site.'),
    limits: fr(
      'La vue intégrée est celle que tout le monde peut voir : le direct des 3 dernières heures. Elle n’utilise jamais la session de qui la regarde.',
    ),
    none: fr(
      'Cette vue ne peut pas être intégrée : ce qu’elle montre demande une connexion, et une page intégrée n’en utilise pas.',
    ),
    closed: fr(
      'Aucun autre site n’est autorisé à ce jour. L’exploitant les nomme dans site.json (embed.origins).',
    ),
    code: 'Code à coller',
    size: 'Hauteur, en pixels',
  },
  images: (count: number) => (count === 1 ? '1 image' : `${count} images`),
  /** What a picture shows. */
  rain: (product: string) => fr(`Intensité de pluie, ${product}`),
  cumul: (product: string) => fr(`Cumul de pluie, ${product}`),
  quality: (product: string) => fr(`Qualité de la mesure, ${product}`),
  forecast: (issued: string) => fr(`Prévision, émise le ${issued}`),
  chance: (above: string, issued: string) => fr(`Probabilité de plus de ${above} mm/h, prévue le ${issued}`),
  depth: (run: string) => fr(`Hauteur d’eau, ${run}`),
  ahead: (title: string, town: string) => `${title}, ${town}`,
  elapsed: (time: string) => fr(`${time} après le début`),
  radar: 'radar',
  simulation: 'simulation',
} as const

/** Short links of an account. */
export const linkTexts = {
  title: 'Liens courts',
  help: fr('Un lien court ouvre une page de la plateforme, avec les droits de qui l’ouvre.'),
  none: 'Aucun lien court. « Partager », sur une carte, en fait un.',
  loading: 'Chargement des liens…',
  failed: 'Vos liens n’ont pas pu être lus.',
  until: (date: string) => fr(`jusqu’au ${date}`),
  remove: 'Supprimer',
  removeLabel: (name: string) => fr(`Supprimer le lien ${name}`),
  removed: 'Le lien est supprimé.',
} as const
