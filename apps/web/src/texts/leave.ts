/** Asked before a page is left where something is not saved. */
export const leaveTexts = {
  leave: 'Quitter',
  stay: 'Rester',
} as const
