import { INTENSITY_CLASSES } from '@radx/contracts'
import { svgPng } from '../../exports/api.ts'

const ROW = 24

/** The classes of intensity with their colours, largest first, as a PNG. @param noData with the grey of ground not seen */
export function legendPng(noData: boolean): Uint8Array {
  const rows: { color: string; label: string; opacity: number }[] = [...INTENSITY_CLASSES]
    .reverse()
    .map(({ color, labelFr }) => ({ color, label: labelFr, opacity: 1 }))
  if (noData) rows.push({ color: '#7f7f7f', label: 'Sans donnée', opacity: 0.25 })
  const height = 32 + rows.length * ROW
  const lines = rows.map(
    ({ color, label, opacity }, k) =>
      `<rect x="8.5" y="${30.5 + k * ROW}" width="28" height="16" fill="${color}" fill-opacity="${opacity}" stroke="#5b6770"/><text x="46" y="${43 + k * ROW}">${label}</text>`,
  )
  return svgPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="${height}"><rect width="180" height="${height}" fill="#fff"/><g font-family="Inter" font-size="13" fill="#10211f"><text x="8" y="20" font-weight="600">Pluie (mm/h)</text>${lines.join('')}</g></svg>`,
    1,
  )
}
