/** Title of the screen of alerts, for those that link to it. */
export const alertsTitle = 'Alertes'
