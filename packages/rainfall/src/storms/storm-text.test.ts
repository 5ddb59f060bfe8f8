import { describe, expect, test } from 'vitest'
import { readNumber } from './delimited.ts'
import { readMontanaTable } from './montana-table.ts'
import { readRainText } from './rain-text.ts'

const LAW = { periodYears: 10, a: 5.9, b: 0.59, fromMin: 6, toMin: 360 }

describe('a table of Montana coefficients', () => {
  test.each([
    'T;a;b;durée min (min);durée max (min)\n10;5,9;0,59;6;360\n',
    '\ufeffPériode de retour (ans);Durée mini;Durée maxi;Coefficient a (mm/min);Coefficient b\r\n10;6;360;5,9;0,59\r\n',
    'period_years,a,b,from_min,to_min\n10,5.9,0.59,6,360\n',
    'durée_max (h)\tdurée_min (h)\tb\ta\tT_ans\n6\t0,1\t0,59\t5,9\t10\n',
    '10;5,9;0,59;6;360\n',
    '10,6,360,5.9,0.59\n',
    'T,a,b,plage\n10 ans,5.9,0.59,6 min - 6 h\n',
    '"T","a","b","tmin","tmax"\n"10","5,9","0,59","6","360"\n',
    'T;a (mm/h);b;de;fin\n10;354;0,59;6;360\n',
    'T;a;b;de;à\n10;5,9;0,59;6;360\n;;;;\n',
    'T,range_start,range_end,a,b\n10,6,360,5.9,0.59\n',
    'T;a;b;Plage (h)\nT=10;5,9;0,59;0,1-6\n',
    'T;a;b;unité;min;max\n10 ans;354;0,59;mm/h;6;360\n',
  ])('is read however a person writes it (%#)', (text) => {
    expect(readMontanaTable(text, 't.csv').laws).toEqual([
      { ...LAW, a: expect.closeTo(5.9, 10), fromMin: expect.closeTo(6, 10), toMin: expect.closeTo(360, 10) },
    ])
  })

  test('says what it was not told', () => {
    const { laws, remarksFr } = readMontanaTable('10;5,9;0,59\n', 't.csv')
    expect(laws).toEqual([{ ...LAW, toMin: 1440 }])
    expect(remarksFr).toEqual([expect.stringContaining('À vérifier')])
    const ranged = readMontanaTable('T;a;b;plage;poste\n10;5,9;0,59;6-360;Melun\n', 't.csv')
    expect(ranged.remarksFr).toEqual(['la colonne « poste » n’est pas lue.'])
  })

  test('in mm/h leaves open whether its t is in minutes or hours, until it is asked', () => {
    const text = 'T;a (mm/h);b;min;max\n10;31,6;0,59;6;360\n'
    const open = readMontanaTable(text, 't.csv')
    expect(open.units).toBe('mmh-min')
    expect(open.remarksFr).toEqual([expect.stringMatching(/minutes ou en heures.*À vérifier/)])
    const asked = readMontanaTable(text, 't.csv', { units: 'mmh-h' })
    expect(asked).toMatchObject({ units: 'mmh-h', remarksFr: [] })
    expect(asked.laws[0].a * 60 ** 0.41).toBeCloseTo(31.6, 10)
    expect(() => readMontanaTable(text, 't.csv', { units: 'mm-min' })).toThrow('n’en garder qu’une')
  })

  test.each([
    ['T;a;b;min;max\n10;5,9;1,59;6;360\n', 'ligne 2, colonne b : b vaut 1,59'],
    [
      'T;a;b;min;max\n10;5,9;0,59;6;360\n10;5,9;0,59;60;720\n',
      'ligne 3, colonne durée : la plage 60–720 min recouvre',
    ],
    ['T;a;b;min;max\n10;354;0,59;6;360\n', 'colonne a : a = 354'],
    ['T;a;b;min;max\n10;5,9;0,59;6 min;360\n', 'des durées portent une unité'],
    ['T;a;b;min;max\n10;x;0,59;6;360\n', 'colonne a : « x » n’est pas un nombre'],
    ['T;alpha;b\n10;5,9;0,59\n', 'colonne introuvable'],
    ['fréquence;a;b\n0,1;5,9;0,59\n', 'colonne période : colonne introuvable'],
    ['T a b\n10 5,9 0,59\n', 'Séparer les colonnes'],
    ['T;a;b;durée max\n10;5,9;0,59;120\n', 'colonne durée min : le tableau ne dit que l’autre bout'],
    ['T;a;b;durée\n10;5,9;0,59;120\n', '« 120 » n’est pas une plage'],
    ['T;a;b;unité;min;max\n10;5,9;0,59;mm/min;6;60\n20;40;0,59;mm/h;6;60\n', 'ligne 3, colonne unité'],
    ['T;a;b;unité;min;max\n10;5,9;0,59;l/s/ha;6;60\n', '« l/s/ha » : attendre mm/min ou mm/h'],
    [
      '5,9;0,59;10;6;120\n',
      'b vaut 10 : il doit être entre 0 et 1, sinon la hauteur ne croît plus avec la durée. Sans en-têtes',
    ],
    ['10,5,9,0,59,6,360\n', 'séparer les colonnes par des points-virgules'],
    ['T,a,b,min,max\n10,5,9,0,59,6,360\n', '7 colonnes au lieu de 5'],
    ['T;a;b;min;max\n', 'aucune ligne'],
    ['', 'le tableau est vide'],
    ['\0\u0001', 'n’est pas un texte lisible'],
  ])('is refused at its place (%#)', (text, message) => {
    expect(() => readMontanaTable(text, 't.csv')).toThrow(message)
  })
})

describe('a series of rain', () => {
  test.each([
    ['minute,mm_h\n0,6\n5,12\n10,0\n', 'mm/h'],
    ['Date;Intensité (mm/h)\n15/06/2023 23:55;6\n16/06/2023 00:00;12\n16/06/2023 00:05;0\n', 'mm/h'],
    ['Date;Heure;Pluie (mm)\n15/06/2023;14:00;0,5\n15/06/2023;14:05;1\n15/06/2023;14:10;0\n', 'mm'],
    [
      'datetime\train mm\n2023-06-15T14:00:00Z\t0.5\n2023-06-15T14:05:00Z\t1\n2023-06-15T14:10:00Z\t0\n',
      'mm',
    ],
    [
      'NUM_POSTE;NOM_USUEL;LAT;LON;AAAAMMJJHHMN;RR (mm);QRR\n77306001;MELUN;48.61;2.68;202306152355;0.5;1\n77306001;MELUN;48.61;2.68;202306160000;1;1\n77306001;MELUN;48.61;2.68;202306160005;0;1\n',
      'mm',
    ],
    ['20230615235500;6\n20230616000000;12\n20230616000500;0\n', 'mm/h'],
    ['heure;mm/h\n0;6\n0,08333333;12\n0,16666667;0\n', 'mm/h'],
    ['minute\tmm/5min\n0\t0,5\n5\t1\n10\t0\n\t\n', 'mm'],
    ['minute;RR5 (mm et 1/10)\n0;0,5\n5;1\n10;0\n;\n', 'mm'],
  ])('is read however a spreadsheet writes it (%#)', (text, unit) => {
    const rain = readRainText(text, 's.csv')
    expect(Array.from(rain.edgesMin, (t) => Math.round(t * 1000) / 1000)).toEqual([0, 5, 10, 15])
    expect(Array.from(rain.ratesMmH, (r) => Math.round(r * 1000) / 1000)).toEqual([6, 12, 0])
    expect(rain.unit).toBe(unit)
  })

  test('steps may be unequal, and a long one is told', () => {
    const text = `minute;mm\n0;1\n5;1\n10;${''}\n15;2\n75;1\n80;0\n`
    const rain = readRainText(text, 's.csv')
    expect(rain.edgesMin).toEqual([0, 5, 10, 15, 75, 80, 85])
    expect(rain.ratesMmH[2]).toBeNaN()
    expect(rain.ratesMmH[3]).toBe(2)
    expect(rain.remarksFr).toEqual([expect.stringContaining('un pas de 60 min')])
  })

  test('a value without a unit is said to be read as mm/h', () => {
    expect(readRainText('0 ;1\n5 ;2\n', 's.csv').remarksFr).toEqual([expect.stringContaining('mm/h')])
    expect(readRainText('0 ;1\n5 ;2\n', 's.csv', { unit: 'mm' }).ratesMmH).toEqual([12, 24])
  })

  test.each<[string, { equal?: boolean; unit?: 'mm' }, string]>([
    ['0;1\n10;2\n5;3\n', {}, 's.csv, ligne 3 : le temps recule'],
    ['0;1\n0;2\n', {}, 'ligne 2 : le même temps'],
    [
      'Date;mm\n29/10/2023 02:55;1\n29/10/2023 02:00;1\n29/10/2023 02:05;1\n',
      {},
      'ligne 3 : le temps recule : les dates doivent être croissantes. Trier la série. À l’heure locale, le retour à l’heure d’hiver',
    ],
    ['0;1\n5;-2\n', {}, 'ligne 2 : -2 est impossible'],
    ['0;1\n5;oups\n', {}, 'ligne 2 : « oups » n’est pas un nombre'],
    ['0;1\noups;1\n', {}, 'ligne 2 : « oups » n’est pas une date'],
    ['0;1\n5;9999\n', {}, 'ligne 2 : 9999 mm/h est impossible'],
    ['0;1\n5;2\n15;3\n', { equal: true }, 'ligne 3 : pas de 10 min au lieu de 5 min'],
    ['0;1\n5;\n', { equal: true }, 'ligne 2 : il n’y a pas de valeur'],
    ['minute;mm/h\n0;1\n5;2\n', { unit: 'mm' }, 'l’en-tête dit mm/h, la demande dit mm'],
    ['minute,mm/h\n0,1,5\n5,2,5\n', {}, 'ligne 2 : plus de colonnes que prévu'],
    ['0,1,5\n5,2,5\n', {}, 'séparer les colonnes par des points-virgules'],
    ['minute;pluie A mm;pluie B mm\n0;1;2\n5;2;3\n', {}, 'plusieurs colonnes de pluie'],
    ['2023-02-30T00:00;1\n2023-03-01T00:00;1\n', {}, 'ligne 1 : « 2023-02-30T00:00 » n’est pas une date'],
    ['202302300000;1\n202303010000;1\n', {}, 'ligne 1 : « 202302300000 » n’est pas une date'],
    ['minute;pluie (in/h)\n0;1\n5;2\n', {}, 'ligne 1 : « pluie (in/h) » : unité inconnue'],
    ['minute;l/s/ha\n0;1\n5;2\n', {}, 'unité inconnue'],
    ['minute;RR (1/10 mm)\n0;1\n5;2\n', {}, 'unité inconnue'],
    ['minute;mm/24h\n0;1\n5;2\n', {}, 'unité inconnue'],
    [
      'minute;mm/6 min\n0;1\n6;2\n21;1\n',
      {},
      'ligne 3 : un pas de 15 min, quand l’en-tête dit des mm par 6 min',
    ],
    ['minute;cumul (mm)\n0;0\n5;2\n10;5\n15;5\n', {}, '« cumul (mm) » ne décroît jamais'],
    ['23:50;1\n23:55;1\n00:00;2\n', {}, 'Si la série passe minuit, donner des dates'],
    ['0;1\n', {}, 'au moins deux lignes'],
    ['', {}, 'au moins deux lignes'],
  ])('is refused at its line (%#)', (text, how, message) => {
    expect(() => readRainText(text, 's.csv', how)).toThrow(message)
  })

  test('ten thousand lines are read at once', () => {
    const text = `minute;mm_h\n${Array.from({ length: 10_000 }, (_, k) => `${k};${k % 7}`).join('\n')}`
    expect(readRainText(text, 's.csv', { equal: true }).ratesMmH).toHaveLength(10_000)
  })
})

test.each([
  ['1 234,5', 1234.5],
  ['1\u202f234.5', 1234.5],
  ['.5', 0.5],
  ['−2', -2],
  ['1.234,5', Number.NaN],
  ['', Number.NaN],
  ['0x10', Number.NaN],
])('the number « %s » is %d', (text, value) => expect(readNumber(text)).toBe(value))
