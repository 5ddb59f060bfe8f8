/** Document titles, apart from the other texts so that the first page carries no more than these. */
export const simulationScreenTexts = {
  catchmentsTitle: 'Bassins versants',
  batteryTitle: 'Batterie de simulations',
  compareTitle: 'Comparaison',
  calibrationTitle: 'Calage d’un bassin',
  formTitle: 'Nouvelle simulation',
  detailTitle: 'Détail de la simulation',
  workspaceTitle: 'Résultat de la simulation',
} as const
