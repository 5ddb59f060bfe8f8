import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { describe, expect, test } from 'vitest'
import { loadRain, parseRadar, parseUniform, parseVirtual } from './rain-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'rain-'))

function rainOf(text: string, onRemark?: (...remarks: string[]) => void) {
  const path = join(folder, 'pluie.csv')
  writeFileSync(path, text)
  return loadRain({ kind: 'file', path }, {} as EsriGrid, 'EPSG:2154', null, onRemark)
}

describe('rain series from a file', () => {
  test.each([
    'date,mm/h\n2018-01-15T23:00:00Z,0\n2018-01-15T23:05:00Z,1.5\n',
    '23:00;0\n23:05;1.5\n',
    '0\t0\n5\t1.5\n\n# fin\n',
    'minute;mm\n0;0\n5;0,125\n',
  ])('times are instants, clock times or minutes, values mm/h or mm (%#)', async (text) => {
    const rain = await rainOf(text)
    expect([rain.intervalS, rain.durationS]).toEqual([300, 600])
    expect([0, 1].map((k) => (rain.rateMS(k) as number) * 3.6e6)).toEqual([0, expect.closeTo(1.5, 9)])
  })

  test('steps of seconds, told by instants, are kept', async () => {
    expect((await rainOf('2018-01-15T23:00:00Z,1\n2018-01-15T23:00:20Z,2\n')).intervalS).toBe(20)
  })

  test('unequal steps hold to the next time, and are told with their line', async () => {
    const remarks: string[] = []
    const text = 'date;mm\r\n01/06/2026 10:00;0,5\r\n01/06/2026 10:05;2\r\n01/06/2026 10:15;1\r\n'
    const rain = await rainOf(text, (...said) => remarks.push(...said))
    expect([...rain.edgesS]).toEqual([0, 300, 900, 1500])
    expect([0, 1, 2].map((k) => (rain.rateMS(k) as number) * 3.6e6)).toEqual(
      [6, 12, 6].map((v) => expect.closeTo(v, 9)),
    )
    expect([rain.intervalS, remarks]).toEqual([
      300,
      [expect.stringMatching(/^ligne 4 : pas de 10 min au lieu de 5 min/)],
    ])
  })

  test.each([
    ['0,1\n5,\n', 'pluie.csv, ligne 2'],
    ['0,1\n5,-2\n', 'ligne 2 : -2 est impossible'],
    ['0,1\n0,2\n', 'ligne 2 : le même temps'],
    ['0,1\noups,2\n', 'ligne 2 : « oups » n’est pas une date'],
    ['0,1\n5,2,7\n', 'ligne 2 : plus de colonnes que prévu'],
    ['', 'au moins deux lignes'],
    ['\u0000\u0001\u0002,x', 'n’est pas un texte lisible'],
  ])('gaps and nonsense are refused with file, line and remedy (%#)', async (text, message) => {
    await expect(rainOf(text)).rejects.toThrow(message)
  })
})

describe('rain options', () => {
  test('are read as written', () => {
    expect(parseUniform('40:30')).toEqual({ kind: 'uniform', rateMmH: 40, minutes: 30 })
    expect(parseVirtual('simple:30,15,80,390')).toEqual({
      kind: 'virtual',
      shape: 'simple',
      params: { d: 30, t: 15, iMax: 80, calmAfter: 390 },
    })
    expect(parseVirtual('double:30,100,240,10,2,20')).toMatchObject({
      shape: 'double',
      params: { t3: 240, i2: 2 },
    })
    expect(parseRadar('dpsri,2018-01-15T23:00:00Z,2018-01-16T05:50:00Z')).toMatchObject({ product: 'dpsri' })
  })

  test.each([
    () => parseUniform('40'),
    () => parseUniform('-4:30'),
    () => parseUniform('4:0'),
    () => parseVirtual('triple:1'),
    () => parseVirtual('simple:1,2,3'),
    () => parseVirtual('double:1,2,3,4,5,x'),
    () => parseRadar('dpsri'),
    () => parseRadar('dpsri,2018-01-16,2018-01-15'),
  ])('are refused with an example when they are wrong (%#)', (parse) => {
    expect(parse).toThrow(expect.objectContaining({ code: 'rain.option' }))
  })
})
