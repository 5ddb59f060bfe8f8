/** Asked before something that an account keeps is removed. */
export const removalTexts = {
  yes: 'Supprimer',
  no: 'Garder',
} as const
