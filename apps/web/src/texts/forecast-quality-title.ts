/** Apart, since the menu's bundle has it. */
export const forecastQualityTitle = 'Qualité de la prévision'
