import { fr } from './typography.ts'

/** Texts of the account screen. Strings of the specification are kept letter by letter. */
export const accountTexts = {
  loginTitle: 'Connexion',
  username: 'Identifiant',
  password: 'Mot de passe',
  submit: 'Connexion',
  showPassword: 'Afficher ou masquer le mot de passe',
  minimum: (count: number) => `${count} caractères au moins`,
  intro: fr(
    "Le direct, le micro radar et cette présentation sont ouverts à tous. Un compte donne accès à l'analyse des archives, aux pluviomètres virtuels, aux exports et aux simulations.",
  ),
  howTo: fr('Les comptes sont ouverts par le gestionnaire de la plateforme.'),
  redirected: fr('Connectez-vous pour ouvrir la page demandée ; elle s’affichera ensuite.'),
  demoTitle: 'Comptes de démonstration',
  demoText: fr(
    'Cette installation tourne avec des données de démonstration. Choisissez un compte pour l’essayer :',
  ),
  demoAccounts: [
    { name: 'demo', password: 'demo-radx', label: 'demo', note: 'utilisateur' },
    { name: 'gestionnaire', password: 'gestionnaire-radx', label: 'gestionnaire', note: 'tous les droits' },
    { name: 'restreint', password: 'restreint-radx', label: 'restreint', note: 'accès limité dans le temps' },
  ],
  failed: 'La connexion a échoué.',
  logout: 'Déconnexion',
  roles: 'Rôles',
  user: 'Utilisateur',
  manager: 'Gestionnaire',
  userRights: fr('Analyse, évènements enregistrés, exports, simulations'),
  managerRights: fr(
    'Et aussi : message d’accueil, export raster et GeoTIFF, pluviomètres sur toute la couverture',
  ),
  access: 'Accès aux données',
  unrestricted: fr('Vous avez accès à toutes les données, du premier jour des archives au direct.'),
  exact: 'Heures disponibles',
  from: 'De',
  until: 'À',
  open: 'sans limite',
  layers: 'Couches géographiques',
  layersHint: fr('Elles s’ajoutent à la carte, dans la liste des couches.'),
  layerName: 'Nom',
  layerTitle: 'Titre',
  layerFeatures: 'Éléments',
  layersFailed: 'Erreur au chargement des shapefiles',
  noLayers: "Il n'y a pas de shapefile associé à votre compte.",
  session: 'Session',
  sessionUntil: fr('Ouverte jusqu’au'),
} as const
