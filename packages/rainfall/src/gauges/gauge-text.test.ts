import { FormatError } from '@radx/contracts/errors'
import { describe, expect, test } from 'vitest'
import { readGaugeTable } from './gauge-text.ts'

const HEAD = 'time,station,longitude,latitude,mm\n'
const row = (time: string, value: string, id = 'A', place = '2.5,48.8') => `${time},${id},${place},${value}\n`

describe('gauge tables', () => {
  test('gauges with places, times and depths; other columns are passed over', () => {
    const { gauges, remarksFr } = readGaugeTable(
      'time,Unnamed: 0,station_id,rainfall_amount,station_name,longitude,latitude,x,y\n' +
        '2021-08-23 09:50:00,616,A051,0.4,Weesby,9.1480,54.8372,-56.0,-3766.0\n' +
        '2021-08-23 09:50:00,617,A112,,Wrixum/F\ufffdhr,8.5272,54.6927,-97.2,-3781.6\n',
      'g.csv',
    )
    expect(remarksFr).toEqual([])
    expect(gauges).toHaveLength(2)
    expect(gauges[0]).toEqual({
      id: 'A051',
      place: { lng: 9.148, lat: 54.8372 },
      plane: { x: -56, y: -3766 },
      timesMs: [Date.UTC(2021, 7, 23, 9, 50)],
      values: [0.4],
      unit: 'mm',
    })
    expect(gauges[1].values).toEqual([Number.NaN])
  })

  test.each([
    ['2026-07-14T16:00Z', 16],
    ['2026-07-14 18:00+02:00', 16],
    ['14/07/2026 16:00', 16],
    ['2026/07/14 16h00', 16],
    ['2026-07-14 18:00:00+02', 16],
    ['2026071416', 16],
    ['202607141600', 16],
    ['20260714T180000+02:00', 16],
    ['20260714 16:00', 16],
  ])('reads %s', (time, hour) => {
    const { gauges } = readGaugeTable(HEAD + row(time, '1'), 'g.csv')
    expect(gauges[0].timesMs).toEqual([Date.UTC(2026, 6, 14, hour)])
  })

  test('a French spreadsheet: semicolons, decimal commas, date and hour apart, mm/h', () => {
    const { gauges } = readGaugeTable(
      'Date;Heure;Pluviomètre;Longitude;Latitude;Intensité (mm/h)\n14/07/2026;16:05;P1;2,55;48,8;12,5\n',
      'g.csv',
    )
    expect(gauges[0]).toMatchObject({
      id: 'P1',
      place: { lng: 2.55, lat: 48.8 },
      values: [12.5],
      unit: 'mm/h',
    })
    expect(gauges[0].timesMs).toEqual([Date.UTC(2026, 6, 14, 16, 5)])
  })

  test('the six-minute files of Météo-France: figures alone as dates, codes of quality beside', () => {
    const { gauges } = readGaugeTable(
      'NUM_POSTE;NOM_USUEL;LAT;LON;ALTI;AAAAMMJJHHMN;RR;QRR\n' +
        '77306001;MELUN;48.610500;2.679000;91;202607141606;0.4;1\n77306001;MELUN;48.610500;2.679000;91;202607141612;;9\n',
      'm.csv',
    )
    expect(gauges).toMatchObject([
      { id: '77306001', place: { lng: 2.679, lat: 48.6105 }, values: [0.4, Number.NaN], unit: 'mm' },
    ])
    expect(gauges[0].timesMs).toEqual([6, 12].map((minute) => Date.UTC(2026, 6, 14, 16, minute)))
  })

  test('names may hold the mark that parts other files, and quotes the one that parts this', () => {
    for (const name of ['Parc; nord', '"Parc, nord"', '"Parc; nord"'])
      expect(readGaugeTable(HEAD + row('2026-07-14 16:00', '1', name), 'g.csv').gauges[0]).toMatchObject({
        id: name.replaceAll('"', ''),
        values: [1],
      })
  })

  test('unordered and doubled readings are put right, and it is said', () => {
    const { gauges, remarksFr } = readGaugeTable(
      HEAD + row('2026-07-14 16:10', '2') + row('2026-07-14 16:05', '1') + row('2026-07-14 16:10', '2'),
      'g.csv',
    )
    expect(gauges[0].values).toEqual([1, 2])
    expect(remarksFr).toHaveLength(2)
  })

  test('totals become depths; one that runs backward leaves an interval missing', () => {
    const times = ['16:00', '16:05', '16:10', '16:15']
    const text = HEAD + ['5', '6.2', '0.2', '0.4'].map((v, i) => row(`2026-07-14 ${times[i]}`, v)).join('')
    const { gauges, remarksFr } = readGaugeTable(text, 'g.csv', { unit: 'total' })
    expect(gauges[0].values.map((v) => Math.round(v * 10) / 10)).toEqual([Number.NaN, 1.2, Number.NaN, 0.2])
    expect(remarksFr[0]).toMatch(/recule 1 fois/)
  })

  test.each<[string, string, RegExp]>([
    ['a heading without place', 'time,station,mm\n2026-07-14 16:00,A,1\n', /ligne 1 : aucune position/],
    ['a heading without rain', 'time,station,lon,lat\n2026-07-14 16:00,A,2,48\n', /aucune colonne de pluie/],
    ['no reading', HEAD, /au moins une mesure/],
    ['a date that is none', HEAD + row('2026-02-30 16:00', '1'), /ligne 2 : « 2026-02-30 16:00 »/],
    ['a word for a number', HEAD + row('2026-07-14 16:00', 'beaucoup'), /« beaucoup » n’est pas un nombre/],
    ['a negative depth', HEAD + row('2026-07-14 16:00', '-0.2'), /négatif/],
    ['an impossible depth', HEAD + row('2026-07-14 16:00', '5000'), /impossible/],
    [
      'a gauge that jumps',
      HEAD + row('2026-07-14 16:00', '1') + row('2026-07-14 16:05', '1', 'A', '3.8,48.8'),
      /ligne 3 : le pluviomètre A a changé de place depuis la ligne 2/,
    ],
    [
      'two values for one moment',
      HEAD + row('2026-07-14 16:00', '1') + row('2026-07-14 16:00', '2'),
      /deux valeurs pour le même instant/,
    ],
    ['a place that is none', HEAD + row('2026-07-14 16:00', '1', 'A', 'ici,là'), /position manque/],
  ])('refuses %s, with the line', (_, text, said) => {
    expect(() => readGaugeTable(text, 'g.csv')).toThrow(FormatError)
    expect(() => readGaugeTable(text, 'g.csv')).toThrow(said)
  })
})
