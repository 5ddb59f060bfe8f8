import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RainbowProductInput, readRainbowProduct, writeRainbowProduct } from './product.ts'

describe('writing', () => {
  const place = {
    name: 'Pluie au sol <sri> & "essai"',
    type: 'dpsri',
    datetime: '2024-02-29T23:59:58Z',
    sensor: {
      id: 'ENPC',
      name: 'Champs',
      lat: 48.841,
      lon: 2.587,
      altitudeM: null,
      wavelengthM: 0.0319,
      beamwidthDeg: 1,
    },
    corners: { latUl: 49.29013, lonUl: 1.899286, latLr: 48.390853, lonLr: 3.2779 },
  }
  const rate = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(0, Number.NaN) },
    { weight: 5, arbitrary: fc.float({ min: Math.fround(0.011), max: 120, noNaN: true }) },
  )

  test.each([
    ['dBR', 8],
    ['dBR', 16],
    ['linear', 8],
    ['linear', 16],
  ] as const)('%s in %i bits reads back within half a code step', (unit, depth) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(rate, { minLength: 81, maxLength: 81 }),
        fc.constantFrom('latlon' as const, 'aeqd' as const),
        (nrows, ncols, values, kind) => {
          const rateMmH = Float32Array.from(values.slice(0, nrows * ncols))
          const input: RainbowProductInput = {
            ...place,
            nrows,
            ncols,
            projection: { kind },
            coding: { depth, unit },
            rateMmH,
          }
          const bytes = writeRainbowProduct(input)
          expect(writeRainbowProduct(input)).toEqual(bytes)
          const product = readRainbowProduct(bytes)
          expect(product).toMatchObject({ ...place, nrows, ncols, datetime: '2024-02-29T23:59:58.000Z' })
          expect(product.projection.kind).toBe(kind)
          const { min, max } = product.coding
          const half = ((max - min) / (2 ** depth - 2) / 2) * (1 + 1e-4)
          rateMmH.forEach((v, i) => {
            const read = product.rateMmH[i]
            if (Number.isNaN(v)) expect(read).toBeNaN()
            else if (v === 0) expect(read).toBe(0)
            else if (unit === 'linear') expect(Math.abs(read - v)).toBeLessThanOrEqual(half + v * 1e-6)
            else expect(Math.abs(10 * Math.log10(read / v))).toBeLessThanOrEqual(half + 1e-5)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a rate above the scale becomes the last code, one below half a step becomes no echo', () => {
    const rateMmH = Float32Array.from([1e9, 0.2, 0.3])
    const bytes = writeRainbowProduct({
      ...place,
      nrows: 1,
      ncols: 3,
      projection: { kind: 'latlon' },
      coding: { depth: 8, unit: 'linear' },
      rateMmH,
    })
    expect([...readRainbowProduct(bytes).rateMmH]).toEqual([127.5, 0, 0.5])
  })

  const header = (input: Partial<RainbowProductInput> = {}) => {
    const bytes = writeRainbowProduct({
      ...place,
      nrows: 1,
      ncols: 2,
      projection: { kind: 'latlon' },
      coding: { depth: 8, unit: 'linear' },
      rateMmH: Float32Array.of(0, Number.NaN),
      ...input,
    })
    return Buffer.from(bytes).toString('utf8').split('<!-- END XML -->')[0]
  }

  test('a rate of exactly half a step under the scale is the first code', () => {
    const rateMmH = Float32Array.of(0.25, Math.fround(0.2499))
    const about = { ...place, nrows: 1, ncols: 2, projection: { kind: 'latlon' as const } }
    const bytes = writeRainbowProduct({ ...about, coding: { depth: 8, unit: 'linear' }, rateMmH })
    expect([...readRainbowProduct(bytes).rateMmH]).toEqual([0.5, 0])
  })

  test('what is not above 0 is no echo, also where the scale reaches so far', () => {
    const rateMmH = Float32Array.of(-3, 0)
    const about = { ...place, nrows: 1, ncols: 2, projection: { kind: 'latlon' as const } }
    const decibels = writeRainbowProduct({ ...about, coding: { depth: 8, unit: 'dBR' }, rateMmH })
    expect([...readRainbowProduct(decibels).rateMmH]).toEqual([0, 0])
    expect(header({ rateMmH, coding: { depth: 8, unit: 'linear', min: -5, max: 5 } })).not.toContain(
      'mindata',
    )
  })

  test('the header names the unit, the scale, and the range of what was found', () => {
    const rateMmH = Float32Array.of(2, 40, 7, Number.NaN)
    const linear = header({ ncols: 4, rateMmH })
    expect(linear).toContain('type="R" min="0.5" max="127.5" mindata="2.000" maxdata="40.000"')
    const fine = header({ ncols: 4, rateMmH, coding: { depth: 16, unit: 'linear' } })
    expect(fine).toContain('type="R" min="0.01" max="655.35" mindata')
    const decibels = header({ rateMmH: Float32Array.of(10, 0), coding: { depth: 8, unit: 'dBR' } })
    expect(decibels).toContain('type="dBR" min="-31.5" max="95.5" mindata="10.000" maxdata="10.000"')
    expect(header()).toContain('type="R" min="0.5" max="127.5">')
  })

  test('the header has the version of the instruments, the place, and of the sensor what is known', () => {
    expect(header()).toContain(
      '<product version="5.43.11" datetime="2024-02-29T23:59:58" name="Pluie au sol &lt;sri&gt;',
    )
    expect(header({ version: '5.52' })).toContain('version="5.52"')
    const { sensor } = place
    const names = (text: string) =>
      [...text.matchAll(/<(alt|wavelen|beamwidth)>([^<]*)</g)].map((m) => [m[1], m[2]])
    expect(names(header())).toEqual([
      ['wavelen', '0.0319'],
      ['beamwidth', '1'],
    ])
    expect(names(header({ sensor: { ...sensor, altitudeM: 90, wavelengthM: null } }))).toEqual([
      ['alt', '90'],
      ['beamwidth', '1'],
    ])
    expect(header()).toContain('</beamwidth>\n      </sensorinfo>')
  })

  test('the plane is around the sensor, or the one that is asked for', () => {
    expect(header()).toMatch(/<projection type="latlon" [^>]*>\s*<\/projection>/)
    const own = header({ projection: { kind: 'aeqd' } })
    expect(own).toContain('<projection type="aeqd"')
    expect(own).toMatch(/<lon_0>2.587<\/lon_0>\s*<lat_0>48.841<\/lat_0>/)
    const proj4 = '+proj=aeqd +lat_0=49 +lon_0=2 +R=6371000'
    const other = header({ projection: { kind: 'aeqd', proj4 } })
    expect(other).toContain(`<proj4string>${proj4}</proj4string>`)
    expect(other).not.toContain('<lat_0>')
  })

  test('values that do not fill the picture are an error of the caller', () => {
    expect(() => header({ nrows: 2 })).toThrow(new RangeError('rateMmH holds 2 values, not 2 x 2'))
  })
})
