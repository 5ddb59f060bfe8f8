/** Texts of the session, which every page carries; kept letter by letter. */
export const sessionTexts = {
  expiredTitle: 'Déconnexion automatique',
  expired:
    "La session d'authentification a expiré. Merci de vous reconnecter pour renouveller votre session.",
} as const
