import { expect, test } from 'vitest'
import { plainHeading } from '../storms/delimited.ts'
import { readGaugeTable } from './gauge-text.ts'
import { rainHeading } from './rain-heading.ts'

test.each([
  [
    'mm',
    ['mm', 'RR (mm)', 'RR6 (mm)', 'Précipitations (mm)', 'Rain_mm_Tot', 'P (mm)', 'prcp_mm', 'Pluie [mm]'],
  ],
  [
    'mm',
    ['rainfall_amount_mm', 'Hauteur précipitée (mm)', "Lame d'eau (mm)", 'Cumul mm', 'precip 5 min (mm)'],
  ],
  ['mm/h', ['mm/h', 'mm h-1', 'Intensité (mm/h)', 'rain_rate [mm/h]', 'i (mm/h)', 'R mm h⁻¹', 'precip_mm_h']],
  ['bare', ['RR1', 'rain', 'rainfall_amount', 'valeur', 'hauteur de pluie', 'precipitation']],
  ['bareRate', ['rain rate', 'Intensité', 'rainfall intensity']],
  ['tips', ['tips', 'Basculements', 'tip count', 'rain count']],
  [
    'otherUnit',
    ['rain (in)', 'RR (1/10 mm)', 'pluie (0,1 mm)', 'precip (cm)', 'intensité (l/s/ha)', 'Rain inch/h'],
  ],
  [null, ['station', 'x', 'lon', 'p', 'i', 'temperature (mm)', 'rain gauge name', 'total charge', 'qualité']],
] as const)('is %s: %j', (kind, headings) => {
  expect(headings.map((heading) => rainHeading(plainHeading(heading)))).toEqual(headings.map(() => kind))
})

const table = (heading: string, values: number[]) =>
  `time;id;lon;lat;${heading}\n${values.map((v, k) => `2026-07-14 ${10 + k}:00;A;2.5;48.8;${v}`).join('\n')}\n`

test.each([
  ['rain (in)', undefined, 'unité non lue'],
  ['rain rate', undefined, 'ne dit pas son unité'],
  ['mm/h', 'mm', 'n’en garder qu’une'],
  ['RR (mm)', 'mm/h', 'n’en garder qu’une'],
  ['cumul (mm)', undefined, 'donner l’unité « total »'],
] as const)('%s asked as %s: refused at the heading, nothing is guessed', (heading, unit, said) => {
  const read = () => readGaugeTable(table(heading, [100, 101, 102, 104, 105, 106, 107]), 'g.csv', { unit })
  expect(read).toThrow(`g.csv, ligne 1 : `)
  expect(read).toThrow(said)
})

test('what was put right is said once for all gauges', () => {
  const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
  const line = (id: string, hour: number) => `2026-07-14 ${hour}:00,${id},2.5,48.8,1\n`
  const text = ids.map((id) => line(id, 11) + line(id, 10) + (id === 'H' ? line(id, 10) : '')).join('')
  expect(readGaugeTable(`time,id,lon,lat,mm\n${text}`, 'g.csv').remarksFr).toEqual([
    'A, B, C, D, E, F et 2 autres : mesures remises dans l’ordre du temps.',
    'H : une mesure en double, comptée une fois.',
  ])
})
