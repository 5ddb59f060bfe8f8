/** Title of the screen of flood forecasts. */
export const aheadTitle = 'Prévision d’inondation'
