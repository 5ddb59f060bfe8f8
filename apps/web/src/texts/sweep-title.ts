/** Apart, since the menu's bundle has it. */
export const sweepTitle = 'Vue du balayage'

export const sweepLinkText = 'Voir les balayages du radar'
