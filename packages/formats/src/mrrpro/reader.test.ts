import type { Dataset, File } from 'h5wasm'
import { describe, expect, test } from 'vitest'
import { newHdf5, writeText } from '../hdf5/write.ts'
import { lateRefusal } from '../testing/refusal.ts'
import { type MrrProOptions, readMrrPro } from './mrrpro.ts'

type Values = Float32Array | Float64Array | Int32Array | Int16Array | BigInt64Array | Uint8Array
interface Made {
  /** Root attributes. */
  root?: Record<string, string>
  time?: Values | null
  units?: string | null
  range?: Values | null
  rangeShape?: number[]
  /** Other datasets: values, shape, `_FillValue`. Those of null are left out. */
  sets?: Record<string, { data: Values; shape?: number[]; fill?: Values } | null>
  change?: (file: File) => void
}

const LWC = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] }

/** A file of two profiles of two gates with nothing but what the reader needs, or what a test makes of it. */
const made = ({
  root = {},
  time = Float64Array.of(1_700_000_000, 1_700_000_010),
  units = 'seconds since 1970-01-01T00:00:00Z',
  range = Float32Array.of(50, 100),
  rangeShape,
  sets = {},
  change,
}: Made = {}): Promise<Uint8Array> =>
  newHdf5((file) => {
    for (const [name, value] of Object.entries(root)) writeText(file, name, value)
    const add = (name: string, data: Values, shape?: number[]): Dataset =>
      file.create_dataset({ name, data, shape })
    const times = time && add('time', time)
    if (times && units !== null) writeText(times, 'units', units)
    if (range) add('range', range, rangeShape)
    for (const [name, set] of Object.entries({ LWC, ...sets } as NonNullable<Made['sets']>)) {
      if (!set) continue
      const data = add(name, set.data, set.shape ?? [2, 2])
      if (set.fill) data.create_attribute('_FillValue', set.fill)
    }
    change?.(file)
  })
const read = async (file: Made = {}, options?: MrrProOptions) => readMrrPro(await made(file), options)

const refusal = (file: Made) => lateRefusal(read(file))

test('what a file does not say stays empty', async () => {
  expect(await read()).toEqual({
    kind: 'mrrpro',
    instrumentName: '',
    firmware: '',
    siteName: '',
    lat: null,
    lon: null,
    altitudeM: null,
    timesMs: Float64Array.of(1_700_000_000_000, 1_700_000_010_000),
    heightsM: Float32Array.of(50, 100),
    nprofiles: 2,
    ngates: 2,
    variables: { LWC: Float32Array.of(1, 2, 3, 4) },
  })
})

test('the firmware is in the name of the instrument', async () => {
  const { firmware } = await read({ root: { instrument_name: 'METEK MRR Pro 1.2.5b, ID: X' } })
  expect(firmware).toBe('1.2.5b')
  expect((await read({ root: { instrument_name: 'MRR Pro x' } })).firmware).toBe('')
})

describe('a position', () => {
  const at = async (lat: Values, lon: Values, altitude: Values, shape: number[] = []) => {
    const sets = {
      latitude: { data: lat, shape },
      longitude: { data: lon, shape },
      altitude: { data: altitude, shape },
    }
    const { lat: a, lon: b, altitudeM: c } = await read({ sets })
    return [a, b, c]
  }
  const f = (value: number) => Float64Array.of(value)
  test('is a single number on the globe and not too high above it', async () => {
    expect(await at(f(48.5), f(2.5), f(97))).toEqual([48.5, 2.5, 97])
    expect(await at(f(48.5), f(2.5), f(97), [1])).toEqual([48.5, 2.5, 97])
    expect(await at(f(-90), f(-180), f(10_000))).toEqual([-90, -180, 10_000])
    expect(await at(f(90.1), f(180.1), f(10_001))).toEqual([null, null, null])
    expect(await at(f(Number.NaN), f(9.969209968386869e36), f(-10_001))).toEqual([null, null, null])
    const two = Float64Array.of(1, 2)
    expect(await at(two, two, two, [2])).toEqual([null, null, null])
  })
})

describe('times', () => {
  const first = async (value: number, units: string) => {
    const time = Float64Array.of(value, value)
    return new Date((await read({ time, units })).timesMs[0]).toISOString()
  }
  test.each([
    [1_000_000_000.25, 'seconds since 1970-01-01', '2001-09-09T01:46:40.250Z'],
    [30, 'seconds since 2023-03-22T01:40:00Z', '2023-03-22T01:40:30.000Z'],
    [30, 'second since 2023-03-22 01:40', '2023-03-22T01:40:30.000Z'],
    [30, 'seconds since 2023-03-22 01:40:10.000 UTC', '2023-03-22T01:40:40.000Z'],
    [1.5, 'minutes since 2023-03-22 00:00:00 +00:00', '2023-03-22T00:01:30.000Z'],
    [1.5, 'hours since 2023-03-22T00:00:00+0000', '2023-03-22T01:30:00.000Z'],
    [1.5, 'days since 2023-03-22Z', '2023-03-23T12:00:00.000Z'],
  ])('%s %s', async (value, units, iso) => {
    expect(await first(value, units)).toBe(iso)
  })

  test.each([
    'fortnights since 2023-03-22',
    'x seconds since 2023-03-22',
    'seconds since 2023-03-22 01:40 CET',
    'seconds since 2023-03-22T01:40:00+01:00',
    'seconds since 2023-13-22',
    'seconds since 22/03/2023',
    '',
  ])('in « %s » are refused', async (units) => {
    const error = await refusal({ units })
    expect(error).toMatchObject({ code: 'mrrpro.badHeader', details: { variable: 'time' } })
    expect(error.message).toContain('La variable « time » manque dans le fichier MRR-PRO')
  })

  test('without a unit are refused', async () => {
    expect((await refusal({ units: null })).details).toEqual({ variable: 'time' })
  })

  test('lie between 1990 and 2200', async () => {
    const refused = async (second: number) => {
      const error = await refusal({ time: Float64Array.of(1_700_000_000, second) })
      expect(error.code).toBe('mrrpro.damaged')
      expect(error.message).toContain('une date est hors limites')
    }
    await refused(6.3e8)
    await refused(7.3e9)
    await refused(Number.NaN)
    await refused(9.969209968386869e36)
    expect((await read({ time: Float64Array.of(6.3e8 + 1, 7.3e9 - 1) })).timesMs[1]).toBe(7.3e12 - 1000)
  })

  test('may be whole numbers, of 64 bits too', async () => {
    const seconds = Int32Array.of(1_700_000_000, 1_700_000_010)
    expect((await read({ time: seconds })).timesMs[1]).toBe(1_700_000_010_000)
    const long = BigInt64Array.of(1_700_000_000n, 1_700_000_010n)
    expect((await read({ time: long })).timesMs[1]).toBe(1_700_000_010_000)
  })
})

describe('heights', () => {
  test('rise from the ground to less than 50 km', async () => {
    expect((await read({ range: Float32Array.of(0, 49_999) })).heightsM).toEqual(Float32Array.of(0, 49_999))
    for (const range of [
      Float32Array.of(-1, 50),
      Float32Array.of(50, 50_000),
      Float32Array.of(50, 50),
      Float32Array.of(50, 40),
      Float32Array.of(50, Number.NaN),
    ]) {
      const error = await refusal({ range })
      expect(error.code).toBe('mrrpro.damaged')
      expect(error.message).toContain('les hauteurs ne montent pas')
    }
  })

  test('are at most 1,024', async () => {
    const gates = (n: number): Made => ({
      range: Float32Array.from({ length: n }, (_, i) => i),
      sets: { LWC: { data: new Float32Array(2 * n), shape: [2, n] } },
    })
    expect((await read(gates(1024))).ngates).toBe(1024)
    const error = await refusal(gates(1025))
    expect(error.code).toBe('mrrpro.damaged')
    expect(error.message).toContain('range annonce 1025 valeurs')
  })
})

describe('profiles', () => {
  const values = async (data: Values, fill?: Values) => [
    ...(await read({ sets: { LWC: { data, fill } } })).variables.LWC,
  ]
  const FILL = 9.969209968386869e36
  test('have no value where the fill value stands, their own or that of netCDF, or no number', async () => {
    const own = -999.9
    const list = [own, 1, FILL, Number.NaN]
    for (const make of [Float32Array, Float64Array]) {
      expect(await values(make.from(list), make.of(own))).toEqual([Number.NaN, 1, Number.NaN, Number.NaN])
      const first = make === Float32Array ? Math.fround(own) : own
      expect(await values(make.from(list))).toEqual([Math.fround(first), 1, Number.NaN, Number.NaN])
      expect(await values(make.of(-FILL, Infinity, -Infinity, 2))).toEqual([NaN, NaN, NaN, 2])
    }
    // The same mark as a double beside data of 32 bits.
    expect(await values(Float32Array.from(list), Float64Array.of(own))).toEqual([NaN, 1, NaN, NaN])
  })

  test('may be whole numbers', async () => {
    expect(await values(Int16Array.of(1, -1, 3, 4), Int16Array.of(-1))).toEqual([1, Number.NaN, 3, 4])
    expect(await values(BigInt64Array.of(1n, -1n, 3n, 4n), BigInt64Array.of(-1n))).toEqual([
      1,
      Number.NaN,
      3,
      4,
    ])
  })

  test('are read as asked for, and told in the order of the list', async () => {
    const set = (k: number) => ({ data: Float32Array.of(k, k, k, k) })
    const bytes = await made({ sets: { Ze: set(2), RR: set(1), SNR: set(3) } })
    const names: string[] = []
    const { variables } = await readMrrPro(bytes, { only: ['SNR', 'RR', 'ML'] }, ({ name }) =>
      names.push(name),
    )
    expect(names).toEqual(['LWC', 'RR', 'SNR'])
    expect(Object.keys(variables).sort()).toEqual(['LWC', 'RR', 'SNR'])
  })

  test.each([
    ['gates', [2, 3], '2 x 3'],
    ['profiles', [3, 2], '3 x 2'],
    ['dimensions', [4], '4'],
    ['dimensions still', [2, 2, 1], '2 x 2 x 1'],
  ])('of other %s are refused, asked for or not', async (_, shape, says) => {
    const length = shape.reduce((a, b) => a * b, 1)
    const bytes = await made({ sets: { SNR: { data: new Float32Array(length), shape } } })
    const error = await readMrrPro(bytes, { only: [] }).catch((thrown) => thrown)
    expect(error.code).toBe('mrrpro.damaged')
    expect(error.message).toContain(`SNR a ${says} valeurs au lieu de 2 x 2`)
  })

  test('of one time are read', async () => {
    const one = {
      time: Float64Array.of(1_700_000_000),
      sets: { LWC: { data: Float32Array.of(1, 2), shape: [1, 2] } },
    }
    expect(await read(one)).toMatchObject({ nprofiles: 1, ngates: 2 })
  })

  test.each<[string, Made]>([
    ['latitude', {}],
    ['time', { time: null }],
  ])('are refused where %s is a text', async (name, file) => {
    const change = (made: File) => made.create_dataset({ name, data: ['a'], dtype: 'S1' })
    const error = await refusal({ ...file, change })
    expect(error.code).toBe('mrrpro.damaged')
  })

  test('that are no numbers are refused', async () => {
    const change = (file: File) =>
      file.create_dataset({ name: 'RR', data: ['a', 'b', 'c', 'd'], shape: [2, 2], dtype: 'S1' })
    const error = await refusal({ change })
    expect(error.code).toBe('mrrpro.damaged')
    expect(error.message).toContain("/RR n'est pas numérique). Copiez-le de nouveau depuis l'instrument.")
  })
})

test.each<[string, Made]>([
  ['LWC', { sets: { LWC: null } }],
  ['range', { range: null }],
  ['time', { time: null }],
])('%s is missed by name', async (variable, file) => {
  const error = await refusal(file)
  expect(error).toMatchObject({ code: 'mrrpro.badHeader', details: { variable } })
  expect(error.message).toContain(`La variable « ${variable} » manque dans le fichier MRR-PRO`)
})

test('an axis of two dimensions is none', async () => {
  expect((await refusal({ rangeShape: [1, 2] })).details).toEqual({ variable: 'range' })
})
