import { fr } from './typography.ts'

/** Texts of the tour of a newcomer. */
export const tourTexts = {
  label: 'Visite',
  offer: {
    title: fr('Première visite ?'),
    text: fr('Cinq repères en une minute : rejouer, se situer, analyser, simuler, se connecter.'),
    start: 'Commencer',
    skip: 'Non merci',
  },
  count: (step: number, of: number) => `${step} sur ${of}`,
  previous: 'Précédent',
  next: 'Suivant',
  skip: 'Passer la visite',
  finish: 'Terminer',
  guide: 'Lire le guide',
  steps: {
    play: {
      title: fr('Rejouer la pluie'),
      text: fr(
        "Lecture fait défiler les trois dernières heures, une image toutes les trois minutes et demie. Au clavier : Z pour lire, Q et D pour reculer ou avancer d'une image.",
      ),
    },
    place: {
      title: fr('Se situer'),
      text: fr(
        'Ce bouton marque votre position sur la carte, après votre accord. La molette, deux doigts ou les touches + et − rapprochent : villes et routes apparaissent.',
      ),
    },
    analysis: {
      title: fr('Analyser une période'),
      text: fr(
        'Un bassin ou un point, un jour, des heures : la pluie image par image, ses cumuls et sa rareté, à télécharger.',
      ),
    },
    simulation: {
      title: fr('Simuler une inondation'),
      text: fr(
        "De la pluie aux hauteurs d'eau dans les rues de Melun. La liste s'ouvre sur des simulations déjà calculées ; on y change l'occupation des sols ou la pluie.",
      ),
    },
    account: {
      title: fr('Ouvrir une session'),
      text: fr("L'analyse et la simulation demandent un compte ; le direct et le micro radar, non."),
      demo: fr(
        "L'analyse et la simulation demandent un compte. Ceux de la démonstration sont donnés sur la page de connexion.",
      ),
    },
  },
} as const
