import { fr } from './typography.ts'

/** Texts of the about page. The four anchors are the specification's, letter by letter. */
export const ABOUT_ANCHORS = {
  presentation: 'Présentation',
  instruments: 'Instruments',
  help: 'Aide-en-ligne-RadX',
  cookies: 'Gestion-des-cookies',
} as const

export const aboutTexts = {
  title: fr('À propos de RadX'),
  toc: fr('Sur cette page'),
  titles: {
    presentation: 'Présentation',
    instruments: 'Instruments',
    help: 'Aide en ligne RadX',
    cookies: 'Gestion des cookies',
  },
  version: (version: string) => `Version ${version}`,
} as const

/** Facts of the radar that the prose quotes, already written with their units. */
export interface RadarFacts {
  name: string
  wavelength: string
  frequency: string
  beamwidth: string
  altitude: string
  range: string
  frame: string
  /** Side of a cell of the default product. */
  cell: string
  product: string
}

export const presentationTexts = {
  lead: fr(
    "RadX montre la pluie là où elle tombe, quand elle tombe. Un radar météorologique à double polarisation en bande X, exploité par une école d'ingénieurs, balaie l'est parisien et l'Île-de-France ; la plateforme publie ses images en direct, garde l'archive et relie la pluie mesurée à ce qu'elle produit en ville : ruissellement, mise en charge des réseaux, inondation.",
  ),
  why: {
    title: fr('Pourquoi un radar en bande X'),
    text: (facts: RadarFacts) =>
      fr(
        `Un orage d'été peut déverser 30 mm en une demi-heure sur un quartier et laisser sec le quartier voisin. Un réseau de pluviomètres, même serré, passe souvent entre les cellules. À ${facts.wavelength} de longueur d'onde (${facts.frequency}), une antenne de taille modeste suffit à former un faisceau de ${facts.beamwidth} : le produit ${facts.product} décrit la pluie par mailles de ${facts.cell}, avec une image toutes les ${facts.frame} environ. C'est l'échelle à laquelle une ville répond à la pluie.`,
      ),
  },
  how: {
    title: fr("De l'écho à la pluie"),
    paragraphs: [
      fr(
        "Le radar émet de brèves impulsions et écoute ce que les gouttes en renvoient. Le retard de l'écho donne la distance, sa puissance la réflectivité Z. Z croît comme la puissance sixième du diamètre des gouttes, l'intensité R à peu près comme la puissance 3,7 : le passage de l'une à l'autre, Z\u00a0=\u00a0a\u00a0Rᵇ, dépend donc de la population de gouttes. À défaut d'autre réglage, a\u00a0=\u00a0200 et b\u00a0=\u00a01,6 (Marshall et Palmer, 1948).",
      ),
      fr(
        "La double polarisation lève une partie de cette ambiguïté. Une grosse goutte s'aplatit en tombant ; elle renvoie davantage l'onde horizontale que la verticale, et retarde l'une par rapport à l'autre. Ce déphasage, insensible à l'atténuation et à l'étalonnage, est précieux en bande X, où une pluie forte affaiblit le signal derrière elle.",
      ),
    ],
  },
  figures: {
    beam: fr(
      "Principe de la mesure. L'impulsion remplit un volume qui s'élargit avec la distance ; le faisceau s'élève au-dessus du sol, si bien que la pluie observée loin du radar est plus haute que celle qui atteint la rue.",
    ),
    beamLabels: {
      radar: 'radar',
      beam: 'faisceau',
      volume: fr('volume sondé'),
      echo: fr('écho'),
      ground: fr('pluie au sol'),
      height: 'hauteur',
    },
    drops: fr(
      "Forme d'équilibre des gouttes dans leur chute, rapport des axes 1,03 − 0,062 D (D en mm ; Pruppacher et Beard, 1970). Plus la goutte est grosse, plus l'onde horizontale (H) la distingue de la verticale (V).",
    ),
  },
  definitions: {
    title: fr('Ce que disent les chiffres'),
    items: [
      {
        term: fr('Intensité'),
        unit: 'mm/h',
        text: fr(
          "Hauteur d'eau par unité de temps dans une maille, à l'instant de l'image. Sous 0,4 mm/h, la carte reste transparente.",
        ),
      },
      {
        term: fr('Rmoyen, zone pluvieuse'),
        unit: 'mm/h',
        text: fr(
          'Moyenne sur les seules mailles où il pleut. Elle dit la force de la pluie, non son étendue : une averse isolée peut avoir un Rmoyen élevé.',
        ),
      },
      {
        term: fr('Couverture pluvieuse'),
        unit: '%',
        text: fr(
          'Part des mailles où il pleut parmi celles qui sont mesurées. Les mailles sans donnée ne comptent ni pour sèches ni pour mouillées.',
        ),
      },
      {
        term: fr('Moyenne de bassin'),
        unit: 'mm/h',
        text: fr(
          "Moyenne des mailles d'un bassin versant, pondérée par la surface de chacune à l'intérieur.",
        ),
      },
      {
        term: fr('Cumul'),
        unit: 'mm',
        text: fr(
          "Somme de R·dt. Une image vaut jusqu'à mi-chemin de ses voisines ; au-delà de deux fois la cadence nominale, le temps manquant est annoncé et n'est pas comblé.",
        ),
      },
    ],
  },
  limits: {
    title: fr('Ce que le radar ne voit pas'),
    text: (facts: RadarFacts) =>
      fr(
        `Le faisceau s'élève et s'élargit : à ${facts.range}, il passe au-dessus de bien des pluies basses. Une pluie très forte peut masquer ce qui se trouve derrière elle. Le relief et les immeubles renvoient des échos fixes, les éoliennes des échos mouvants. Les valeurs de RadX sont des mesures de recherche ; elles ne remplacent ni une vigilance météorologique ni les consignes des autorités.`,
      ),
  },
  screens: {
    title: fr('Ce que la plateforme permet'),
    items: [
      {
        to: '/',
        name: 'Direct',
        text: fr(
          'Les trois dernières heures, rejouées image par image, la station au pied du radar et le micro radar. Ouvert à tous.',
        ),
      },
      {
        to: '/analyse',
        name: 'Analyse',
        text: fr(
          "Un évènement de l'archive, un bassin versant : images, hyétogrammes, couverture, pluviomètres virtuels, exports. Avec un compte.",
        ),
      },
      {
        to: '/multihydro',
        name: 'Simulation',
        text: fr(
          "La pluie mesurée ou virtuelle, appliquée à un quartier : écoulement de surface, infiltration, réseau d'assainissement. Avec un compte.",
        ),
      },
      {
        to: '/mrr',
        name: 'Micro radar',
        text: fr('Le profil vertical de la pluie au-dessus du radar, du nuage au sol.'),
      },
    ],
  },
  sponsors: {
    title: fr('Soutiens et partenaires'),
    text: fr(
      "RadX est porté par le laboratoire Hydrologie, Météorologie et Complexité (HM&Co) de l'École des ponts, dans le cadre de la chaire Hydrologie pour une ville résiliente. L'acquisition du radar et la plateforme ont reçu le soutien de la Région Île-de-France et du projet européen RainGain.",
    ),
  },
} as const

export const instrumentTexts = {
  lead: fr(
    "Une seule grandeur, la pluie, et cinq façons de l'approcher : de loin et partout, à la verticale, goutte par goutte, et par l'air qui la porte. Les instruments sont réunis au même endroit pour se contrôler les uns les autres.",
  ),
  measures: fr('Mesure'),
  principle: fr('Principe'),
  use: fr('Dans RadX'),
  items: [
    {
      key: 'radar',
      name: fr('Radar en bande X à double polarisation'),
      measures: fr(
        'Réflectivité, réflectivité différentielle, déphasage différentiel et vitesse radiale ; par calcul, intensité de la pluie sur toute la couverture.',
      ),
      principle: (facts: RadarFacts) =>
        fr(
          `Impulsions de ${facts.wavelength} de longueur d'onde, polarisées horizontalement et verticalement, émises par une antenne tournante au faisceau de ${facts.beamwidth}, à ${facts.altitude} d'altitude ; portée de ${facts.range}.`,
        ),
      use: fr("Les images du direct et de l'analyse, les statistiques de bassin, la pluie des simulations."),
    },
    {
      key: 'mrr',
      name: fr('Micro radar de pluie'),
      measures: fr(
        "Spectre Doppler à chaque hauteur au-dessus de l'appareil ; par calcul, distribution des tailles de gouttes, intensité et vitesse de chute.",
      ),
      principle: () =>
        fr(
          'Onde continue modulée en fréquence à 24 GHz, pointée au zénith. Une goutte plus grosse tombe plus vite : le décalage Doppler trie donc les gouttes par taille. La fonte de la neige dessine une bande brillante.',
        ),
      use: fr("La page « Micro radar » et la dernière image de la page d'accueil."),
    },
    {
      key: 'disdrometer',
      name: fr('Disdromètre'),
      measures: fr(
        "Diamètre et vitesse de chaque goutte qui traverse un rayon lumineux ; par comptage, le spectre N(D) et l'intensité au sol.",
      ),
      principle: () =>
        fr(
          "Une nappe de lumière de quelques dizaines de centimètres carrés. L'ombre d'une goutte dit sa taille, sa durée sa vitesse ; pluie, grésil et neige s'y distinguent.",
        ),
      use: fr('Une référence au sol pour la relation entre réflectivité et intensité.'),
    },
    {
      key: 'station',
      name: fr('Station météorologique'),
      measures: fr('Température (°C), pression (hPa), humidité relative (%), vitesse et direction du vent.'),
      principle: () =>
        fr(
          "Capteurs sous abri ventilé, anémomètre et girouette en tête de mât. La rose des vents de RadX montre vers où va le vent, non d'où il vient.",
        ),
      use: fr('Le panneau « Situation météorologique au pied du radar ».'),
    },
    {
      key: 'anemometer',
      name: fr('Anémomètre 3D'),
      measures: fr(
        'Les trois composantes du vent, dont la vitesse verticale Vz (km/h), plusieurs fois par seconde.',
      ),
      principle: () =>
        fr(
          'Trois paires de transducteurs à ultrasons se répondent. Le son va plus vite dans le sens du vent : la différence des temps de parcours donne la vitesse le long de chaque axe, sans pièce mobile.',
        ),
      use: fr("La seconde rose des vents et le graphique de Vz ; les ascendances annoncent l'orage."),
    },
  ],
} as const

export const helpTexts = {
  guide: fr('Lire le guide'),
  lead: fr(
    "Tout se fait à la souris, au clavier ou au doigt. Les touches agissent en minuscule comme en majuscule, sauf pendant la saisie d'un texte.",
  ),
  groups: [
    {
      key: 'mouse',
      title: fr('Souris'),
      rows: [
        ['Glisser', fr('déplace la carte')],
        ['Molette', fr('zoome là où se trouve le pointeur')],
        ['Double-clic', fr("zoome d'un cran ; avec Maj, dézoome")],
        ['Maj + glisser', fr('zoome sur le rectangle tracé')],
        ['Clic sur la carte', fr("pose un pluviomètre virtuel (connecté, dans un bassin d'analyse)")],
        [
          'Survol',
          fr("met en évidence une couche, détaille une direction de vent ou une valeur d'un graphique"),
        ],
        ['Clic sur un jour, une heure', fr('fixe le début, puis la fin de la sélection')],
      ],
    },
    {
      key: 'keyboard',
      title: fr('Clavier'),
      rows: [
        ['Z', fr('lecture ou pause')],
        ['Q', fr('image précédente')],
        ['D', fr('image suivante')],
        ['Flèches', fr('déplacent la carte quand elle a le focus')],
        ['+ −', fr('zooment et dézooment la carte')],
        ['Tab, Maj + Tab', fr('passent à la commande suivante, précédente')],
        ['Échap', fr('ferme une fenêtre')],
      ],
    },
    {
      key: 'touch',
      title: fr('Écran tactile'),
      rows: [
        ['Glisser à un doigt', fr('déplace la carte')],
        ['Pincer', fr('zoome et dézoome')],
        ['Toucher deux fois', fr("zoome d'un cran")],
        ['Toucher la carte', fr("pose un pluviomètre virtuel (connecté, dans un bassin d'analyse)")],
        ['Glisser le curseur', fr("parcourt les images ou règle l'opacité")],
        ['Toucher un graphique', fr("affiche la valeur à l'instant choisi")],
      ],
    },
  ],
} as const

export const cookieTexts = {
  text: fr(
    "RadX garde dans votre navigateur ce qui lui est nécessaire : la session de connexion, le mode d'affichage et vos choix. La mesure d'audience, elle, attend votre accord ; sans lui, aucune requête ne part vers un service de statistiques.",
  ),
  allowed: fr("Vous avez accepté la mesure d'audience."),
  refused: fr("Vous avez refusé la mesure d'audience."),
  unset: fr("Vous n'avez pas encore choisi."),
  change: fr('Modifier mon choix'),
} as const
