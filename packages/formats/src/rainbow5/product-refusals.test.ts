import { describe, expect, test } from 'vitest'
import { productBytes, readProduct as read, productRefusal as refusal } from '../testing/rainbow-product.ts'
import { readRainbowPicture } from './product.ts'

describe('the size', () => {
  const SIZE = 'de 2 x 3 et une projection de'
  test.each<[string, [string, string][], string]>([
    ['columns that are not those of the projection', [['size_x="3"', 'size_x="4"']], `${SIZE} 2 x 4`],
    ['rows that are not those of the projection', [['size_y="2"', 'size_y="3"']], `${SIZE} 3 x 3`],
    [
      'more than 16 million cells',
      [
        ['rows="2" columns="3" depth="8"', 'rows="4097" columns="4096" depth="8"'],
        [' size_x="3" size_y="2"', ''],
      ],
      'de 4097 x 4096 et une projection de 4097 x 4096',
    ],
  ])('%s are refused', (_, changes, says) => {
    const error = refusal(...changes)
    expect(error.code).toBe('rainbow5.badHeader')
    expect(error.message).toContain(`annonce une grille ${says}. Vérifiez`)
    expect(Object.keys(error.details)).toEqual(['ncols', 'nrows', 'sizeX', 'sizeY'])
  })

  test('16 million cells are looked for', () => {
    const large: [string, string] = ['rows="2" columns="3" depth="8"', 'rows="4096" columns="4096" depth="8"']
    expect(refusal(large, [' size_x="3" size_y="2"', '']).code).toBe('rainbow5.badBlob')
  })

  test('of the flags is that of the picture, where it is given', () => {
    expect(read(['blobid="1" rows="2" columns="3" depth="1"', 'blobid="1"']).rateMmH[3]).toBeNaN()
    for (const wrong of [
      'rows="3" columns="3" depth="1"',
      'rows="2" columns="2" depth="1"',
      'rows="2" columns="3" depth="8"',
    ])
      expect(refusal(['rows="2" columns="3" depth="1"', wrong]).code).toBe('rainbow5.badHeader')
  })
})

describe('the scale', () => {
  test.each<[string, string, string]>([
    ['min="-31.5"', 'min="-1000001"', 'va de -1000001 à 95.5. Vérifiez'],
    ['max="95.5"', 'max="1000001"', 'va de -31.5 à 1000001. Vérifiez'],
    ['max="95.5"', 'max="-31.5"', 'va de -31.5 à -31.5. Vérifiez'],
  ])('%s as %s is refused', (from, to, says) => {
    const error = refusal([from, to])
    expect(error.code).toBe('rainbow5.badHeader')
    expect(error.message).toContain(says)
    expect(Object.keys(error.details)).toEqual(['min', 'max'])
  })

  test('may reach to a million', () => {
    const wide = ['min="-31.5" max="95.5"', 'min="-1000000" max="1000000"'] as [string, string]
    expect(read(wide).coding).toMatchObject({ min: -1e6, max: 1e6 })
  })

  test('of another depth is refused', () => {
    const error = refusal(['columns="3" depth="8"', 'columns="3" depth="4"'])
    expect(error).toMatchObject({ code: 'rainbow5.unsupported', details: { depth: 4 } })
    expect(error.message).toContain('La profondeur de 4 bits')
  })

  test('is worked out once for pictures that have it, and the last eight are kept', () => {
    const table = (max: number) => readRainbowPicture(productBytes(['max="95.5"', `max="${max}"`])).rateOfCode
    const first = table(1001)
    for (let k = 2; k <= 8; k++) table(1000 + k)
    // What was kept before counts too, so that the first may be gone; from here on it is the only one.
    let again = table(1001)
    let others = 0
    while (table(1001) === again) {
      table(2000 + others++)
      if (others > 50) throw new Error('kept for ever')
    }
    again = table(1001)
    for (let k = 1; k <= 6; k++) table(3000 + k)
    expect(table(1001)).toBe(again)
    expect(first).toEqual(again)
  })
})

test.each<[string, [string | RegExp, string][], string]>([
  [
    'another root',
    [
      ['<product ', '<?xml version="1.0"?><produkt '],
      ['</product>', '</produkt>'],
    ],
    'ne contient pas de produit',
  ],
  ['a volume', [[/product/g, 'volume']], 'est un volume, non un produit. Déposez-le avec son extension'],
])('%s is refused', (_, changes, says) => {
  const error = refusal(...changes)
  expect(error.code).toBe('rainbow5.wrongKind')
  expect(error.message).toContain(says)
})

test.each<[string, [string | RegExp, string][]]>([
  ['radarpicture', [[/radarpicture/g, 'picture']]],
  ['datamap', [['<datamap', '<map']]],
  ['projection', [['<projection', '<place']]],
  [
    'date',
    [
      [' date="2021-07-04" time="15:50:03"', ''],
      [' datetime="2021-07-04T15:52:10"', ''],
    ],
  ],
])('%s is missed by name', (field, changes) => {
  expect(refusal(...changes)).toMatchObject({ code: 'rainbow5.badHeader', details: { field } })
})

test('names, kind and version may be missing, and the time may be that of the file', () => {
  const about = (...changes: [string, string][]) => {
    const { name, type, version, datetime } = read(...changes)
    return [name, type, version, datetime]
  }
  const at = '2021-07-04T15:50:03.000Z'
  expect(about()).toEqual(['sri_ile', 'sri', '5.43.11', at])
  expect(about(['type="sri"', 'type="DPSRI"'])).toEqual(['sri_ile', 'dpsri', '5.43.11', at])
  expect(about([' type="sri"', ''])).toEqual(['sri_ile', 'sri_ile', '5.43.11', at])
  expect(about([' name="sri_ile"', ''])).toEqual(['sri', 'sri', '5.43.11', at])
  expect(about([' name="sri_ile"', ''], ['<data ', '<data name="ile" '])).toEqual([
    'ile',
    'sri',
    '5.43.11',
    at,
  ])
  expect(about([' name="sri_ile"', ''], [' type="sri"', ''])).toEqual(['', '', '5.43.11', at])
  expect(about([' version="5.43.11"', ''])[2]).toBe('')
  expect(about([' date="2021-07-04" time="15:50:03"', ''])[3]).toBe('2021-07-04T15:52:10.000Z')
})
