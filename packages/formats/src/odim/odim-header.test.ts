import type { Group } from 'h5wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { hdf5Ready } from '../hdf5/file.ts'
import { newHdf5 } from '../hdf5/write.ts'
import { type Attributes, attributes, type Layer, odim, RATE, WHERE } from '../testing/odim-file.ts'
import { lateRefusal } from '../testing/refusal.ts'
import { readOdim } from './odim.ts'

beforeAll(hdf5Ready)

const withWhat = (what: Attributes) => odim([RATE], { what })

const refusal = (bytes: Uint8Array) => lateRefusal(readOdim(bytes))

async function missed(bytes: Uint8Array, attribute: string): Promise<void> {
  const error = await refusal(bytes)
  expect(error).toMatchObject({ code: 'odim.badHeader', details: { attribute } })
  expect(error.message).toContain(
    `L'attribut « ${attribute} » manque dans le fichier ODIM ou n'a pas de sens. Demandez`,
  )
}

describe('the object', () => {
  test.each(['COMP', 'IMAGE', 'CVOL'])('%s is read', async (object) => {
    expect(await readOdim(withWhat({ object }))).toMatchObject({
      kind: 'odim',
      object,
      conventions: 'ODIM_H5/V2_2',
    })
  })

  test('of another kind is named, up to 20 letters', async () => {
    const object = `PVOL${'x'.repeat(30)}`
    const error = await refusal(withWhat({ object }))
    expect(error).toMatchObject({ code: 'odim.unsupported', details: { object } })
    expect(error.message).toContain(`objet « PVOL${'x'.repeat(16)} », seuls les composites`)
    expect((await refusal(withWhat({ object: '' }))).details).toEqual({ object: '' })
  })

  test('and its description may be without a source, a version', async () => {
    const bare = await newHdf5((file) => {
      attributes(file, 'what', { object: 'COMP', date: '20240131', time: '2355' })
      attributes(file, 'where', WHERE)
      const set = file.create_group('dataset1')
      attributes(set, 'what', RATE.what)
      set.create_group('data1').create_dataset({ name: 'data', data: RATE.data, shape: [2, 3] })
    })
    expect(await readOdim(bare)).toMatchObject({
      conventions: '',
      source: '',
      datetime: '2024-01-31T23:55:00.000Z',
    })
  })

  test('of no description is refused', async () => {
    await missed(await newHdf5((file) => void file.create_group('where')), 'what')
  })
})

describe('the time', () => {
  test.each([
    ['20240229', '235959', '2024-02-29T23:59:59.000Z'],
    ['20240131', '0005', '2024-01-31T00:05:00.000Z'],
    ['20240131', '120000.5', '2024-01-31T12:00:00.000Z'],
  ])('%s %s', async (date, time, iso) => {
    expect((await readOdim(withWhat({ date, time }))).datetime).toBe(iso)
  })
  test.each([
    ['20240230', '120000'],
    ['20240131', '240000'],
    ['20240131', '236000'],
    ['20240131', '126000'],
    ['x20240131', '120000'],
    ['202401311', '120000'],
    ['20240131', 'x120000'],
    ['20240131', '12'],
    ['', '120000'],
    ['20240131', ''],
  ])('« %s » « %s » is none', async (date, time) => {
    await missed(withWhat({ date, time }), 'date')
  })
})

describe('the size', () => {
  const sized = (shape: number[], where: Attributes = {}): Uint8Array => {
    const data = new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1)
    const size = { xsize: shape[1] ?? 1, ysize: shape[0] }
    return odim([{ ...RATE, data, shape }], { where: { ...WHERE, ...size, ...where } })
  }
  test('may be a cell, a row, a column, and is that of the data where it is not said', async () => {
    for (const shape of [
      [1, 1],
      [1, 4],
      [4, 1],
    ])
      expect(await readOdim(sized(shape))).toMatchObject({ nrows: shape[0], ncols: shape[1] })
    expect(await readOdim(sized([2, 3], { xsize: '', ysize: '' }))).toMatchObject({ nrows: 2, ncols: 3 })
  })

  test('that is said otherwise is refused', async () => {
    await missed(sized([2, 3], { xsize: 2 }), 'xsize')
    await missed(sized([2, 3], { ysize: 3 }), 'xsize')
  })

  test('is of one cell at least', async () => {
    for (const shape of [
      [0, 3],
      [2, 0],
    ]) {
      const error = await refusal(sized(shape, { xsize: '', ysize: '' }))
      expect(error.message).toContain(`(grille de ${shape.join(' x ')})`)
    }
  })

  test('has two dimensions', async () => {
    for (const [shape, says] of [
      [[6], '6'],
      [[1, 2, 3], '1 x 2 x 3'],
    ] as const) {
      const error = await refusal(sized([...shape], { xsize: '', ysize: '' }))
      expect(error.code).toBe('odim.damaged')
      expect(error.message).toContain(`(grille de ${says})`)
    }
  })

  test('is of 16 million cells at most', async () => {
    // Announced, not written: the library makes no room for what nobody wrote.
    const announced = (...shape: number[]) => {
      const data = new Uint8Array(64 * 64)
      return newHdf5((file) => {
        attributes(file, 'what', { object: 'COMP', date: '20240131', time: '2355' })
        attributes(file, 'where', WHERE)
        const set = file.create_group('dataset1')
        attributes(set, 'what', RATE.what)
        const about = { name: 'data', data, shape: [64, 64], maxshape: shape, chunks: [64, 64] }
        set.create_group('data1').create_dataset(about).resize(shape)
      })
    }
    expect((await refusal(await announced(4097, 4096))).message).toContain('(grille de 4097 x 4096)')
    await missed(await announced(4096, 4096), 'xsize')
  })
})

describe('the layer', () => {
  const other: Layer = { what: { quantity: 'QIND' }, data: RATE.data }
  const quantity = async (...layers: Layer[]) => (await readOdim(odim(layers))).quantity
  test('of total reflectivity is the last choice', async () => {
    const of = (name: string): Layer => ({ what: { quantity: name }, data: RATE.data })
    const span = { startdate: '20240131', starttime: '2340', enddate: '20240131', endtime: '2355' }
    const sum: Layer = { what: { quantity: 'ACRR', ...span }, data: RATE.data }
    expect(await quantity(of('TH'))).toBe('TH')
    expect(await quantity(of('TH'), of('DBZH'))).toBe('DBZH')
    expect(await quantity(of('TH'), of('DBZH'), sum)).toBe('ACRR')
  })

  test('is looked for in 64 datasets', async () => {
    expect(await quantity(...new Array(63).fill(other), RATE)).toBe('RATE')
    const error = await refusal(
      odim([...new Array(64).fill({ ...other, what: { quantity: 'Q'.repeat(30) } }), RATE]),
    )
    expect(error).toMatchObject({
      code: 'odim.notRain',
      details: { quantities: new Array(64).fill('Q'.repeat(20)) },
    })
    expect(error.message).toContain('ni intensité (RATE), ni cumul (ACRR), ni réflectivité (DBZH). Déposez')
  })

  test('is looked for in 64 data of each', async () => {
    const data = (at: number) =>
      odim([other], {
        change: (file) => {
          const set = file.get('dataset1') as Group
          for (let i = 2; i <= at; i++) {
            const part = set.create_group(`data${i}`)
            attributes(part, 'what', { quantity: i === at ? 'RATE' : 'QIND' })
            part.create_dataset({ name: 'data', data: RATE.data, shape: [2, 3] })
          }
        },
      })
    expect((await readOdim(data(64))).quantity).toBe('RATE')
    expect((await refusal(data(65))).code).toBe('odim.notRain')
  })

  test('without a name is no rain, a group without data none at all', async () => {
    expect((await refusal(odim([{ what: {}, data: RATE.data }]))).details).toEqual({ quantities: [''] })
    await missed(odim([]), 'dataset1/data1/data')
    const change = (file: Group) => void file.create_group('dataset1').create_group('data1')
    await missed(odim([], { change }), 'dataset1/data1/data')
  })
})

test('rates below 0 are no rain, those of a million are no data, nor is what is no number', async () => {
  const data = Float32Array.of(-0.5, 999_999, 1e6, Number.POSITIVE_INFINITY, Number.NaN, 0)
  const { rateMmH } = await readOdim(odim([{ ...RATE, data }]))
  expect([...rateMmH]).toEqual([0, 999_999, Number.NaN, Number.NaN, Number.NaN, 0])
  const codes = await readOdim(
    odim([{ what: { quantity: 'RATE', gain: 1e5, offset: -1e5 }, data: Uint8Array.of(0, 1, 2, 10, 11, 12) }]),
  )
  expect([...codes.rateMmH]).toEqual([0, 0, 1e5, 9e5, Number.NaN, Number.NaN])
})

test.each([
  ['gain', Number.POSITIVE_INFINITY],
  ['gain', Number.NaN],
  ['gain', 0],
  ['gain', 'un demi'],
  ['offset', Number.NaN],
])('%s of %s is refused, not read as if it were left out', async (name, value) => {
  await missed(
    odim([{ what: { quantity: 'RATE', [name]: value }, data: Uint8Array.of(0, 1, 2, 3, 4, 5) }]),
    name,
  )
})

describe('an accumulation', () => {
  const over = (startdate: string, starttime: string, enddate: string, endtime: string) =>
    odim([{ what: { quantity: 'ACRR', startdate, starttime, enddate, endtime }, data: RATE.data }])
  test('is over a month at most', async () => {
    const { accumulationHours, rateMmH } = await readOdim(over('20240101', '0000', '20240201', '0000'))
    expect(accumulationHours).toBe(744)
    expect(rateMmH[5]).toBeCloseTo(5 / 744, 9)
    await missed(over('20240101', '000000', '20240201', '000001'), 'startdate')
  })
  test('ends after it began', async () => {
    await missed(over('20240101', '1200', '20240101', '1200'), 'startdate')
    await missed(over('20240101', '1200', '20240101', '1100'), 'startdate')
    await missed(over('20240101', '1200', '20240101', ''), 'date')
  })
})

test('a relation of the file that has only one of its numbers, or none above 0, is not taken', async () => {
  const layer: Layer = { what: { quantity: 'DBZH' }, data: Float32Array.of(30, 30, 30, 30, 30, 30) }
  const rate = async (how: Attributes) =>
    (await readOdim(odim([layer], { how }), { law: { a: 100, b: 2 } })).rateMmH[0]
  // 30 dBZ is Z = 1000.
  for (const how of [
    { zr_a: 250 },
    { zr_b: 1 },
    { zr_a: 0, zr_b: 1 },
    { zr_a: -250, zr_b: 1 },
    { zr_a: 250, zr_b: 0 },
    { zr_a: 250, zr_b: -1 },
  ])
    expect(await rate(how as Attributes)).toBeCloseTo(Math.sqrt(10), 5)
  expect(await rate({ zr_a: 250, zr_b: 1 })).toBeCloseTo(4, 6)
})
