import { fr } from './typography.ts'

/** Texts of the administration. Strings of the specification are kept letter by letter. */
export const adminTexts = {
  title: 'Administration',
  messageTitle: 'Message',
  messageHelp: [
    fr("Le texte ci-dessous s'affiche sur la page d'accueil, au-dessus des graphiques."),
    fr(
      'Il doit être publié pour être visible des visiteurs, et enregistré avec le bouton « Enregistrer » pour être pris en compte.',
    ),
  ],
  placeholder: 'Saisir ici votre texte',
  editorLabel: fr("Texte du message d'accueil"),
  published: 'Publié',
  unpublished: 'Dépublié',
  publishedHelp: fr('Visible de tous sur la page d’accueil'),
  unpublishedHelp: fr('Visible des gestionnaires seulement, ici'),
  save: 'Enregistrer',
  saved: 'Message enregistré',
  unsaved: fr('Modifications non enregistrées'),
  loadFailed: fr("Le message d'accueil n'a pas pu être chargé."),
  saveFailed: fr("Le message n'a pas été enregistré."),
  forbiddenTitle: 'Page réservée aux gestionnaires',
  forbidden: fr(
    "Votre compte ne porte pas le rôle de gestionnaire : il ne permet pas de modifier le message d'accueil. Le gestionnaire de la plateforme peut vous l'accorder.",
  ),
  toAccount: 'Voir mon compte',
  retry: 'Réessayer',
  tools: {
    bold: 'Gras',
    italic: 'Italique',
    underline: 'Souligné',
    strike: 'Barré',
    h2: 'Titre',
    h3: 'Sous-titre',
    bulletList: 'Liste à puces',
    orderedList: 'Liste numérotée',
    blockquote: 'Citation',
    hr: 'Filet',
    link: 'Lien',
    unlink: 'Retirer le lien',
    undo: 'Annuler',
    redo: 'Rétablir',
    linkInput: 'Adresse du lien',
    linkPlaceholder: 'https://exemple.fr/',
    linkSave: 'Poser le lien',
  },
} as const
