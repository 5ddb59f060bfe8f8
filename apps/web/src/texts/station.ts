/** Texts of the weather station, beside the live map and the archive's. */
export const stationTexts = {
  title: 'Situation météorologique au pied du radar',
  noReadings: 'Pas de données de la station pour cette période.',
  table: { time: 'Instant', value: 'Valeur' },
  open: 'Agrandir',
  explanation: "La rose des vents indique la direction vers laquelle va le vent, et non celle d'où il vient.",
  wind: 'Station météo',
  sonic: 'Anémomètre 3D',
  noData: 'Pas de données',
  hint: 'Survolez une direction pour afficher les détails',
  share: 'Part des mesures par direction (vers) et vitesse du vent',
  direction: 'Direction (vers)',
  lastReading: (time: string) => `Dernière mesure à ${time}`,
  graphs: {
    t: { name: 'Température', unit: '°C', decimals: 1 },
    p: { name: 'Pression', unit: 'hPa', decimals: 1 },
    h: { name: 'Humidité', unit: '%', decimals: 0 },
    uzSonic: { name: 'Vz', unit: 'km/h', decimals: 1 },
  },
} as const
