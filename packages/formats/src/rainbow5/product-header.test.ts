import { describe, expect, test } from 'vitest'
import { readProduct as read, productRefusal as refusal } from '../testing/rainbow-product.ts'

describe('what the codes measure', () => {
  const unit = (...names: string[]) =>
    names.map((name) => read([' type="dBR"', ` type="${name}" `]).coding.unit)
  test('is told by its name, in capitals or not', () => {
    expect(unit('dBR', 'dbr', ' DBR ')).toEqual(['dBR', 'dBR', 'dBR'])
    const linear = [
      'R',
      'rr',
      'rain',
      'rate',
      'rain rate',
      'RainRate',
      'linear',
      'mm/h',
      'mmh',
      'mm/hr',
      'mm h-1',
    ]
    expect(unit(...linear)).toEqual(linear.map(() => 'linear'))
  })

  test('may stand in the data map, in the picture or beside it, under four names', () => {
    const without: [string, string] = [' type="dBR"', '']
    for (const name of ['type', 'datatype', 'unit', 'units'])
      for (const place of ['<datamap', '<radarpicture', '<data '])
        expect(read(without, [place, `${place} ${name}="mm/h" `]).coding.unit).toBe('linear')
  })

  test('without a name is told by whether the scale reaches below 1 mm/h in decibels', () => {
    const scale = (min: string) => read([' type="dBR"', ''], ['min="-31.5"', `min="${min}"`]).coding.unit
    expect([scale('-31'), scale('-0.5'), scale('0'), scale('0.5')]).toEqual([
      'dBR',
      'dBR',
      'linear',
      'linear',
    ])
    expect(unit('dBRx', 'xdBR', 'mm/hx', 'xmm/h')).toEqual(['dBR', 'dBR', 'dBR', 'dBR'])
  })

  test.each([
    'dBZ',
    'dBuZ',
    'dBZv',
    'dBuZv',
    'uDBZ',
    'dBA',
    'dB',
    'V',
    'Vu',
    'Vv',
    'W',
    'ZDR',
    'RhoHV',
    'uRhoHV',
    'PhiDP',
    'uPhiDP',
    'KDP',
    'uKDP',
    'SQI',
    'SNR',
    'mm',
    'm',
    'km',
    'm/s',
  ])('%s is no rain rate', (type) => {
    const error = refusal(['type="dBR"', `type="${type}"`])
    expect(error).toMatchObject({ code: 'rainbow5.notRain', details: { type } })
    expect(error.message).toContain(
      `contient « ${type} », non une intensité de pluie. Exportez un produit SRI`,
    )
  })

  test('is rain where one name says so and another does not', () => {
    expect(read(['<datamap', '<datamap unit="mm"']).coding.unit).toBe('dBR')
  })
})

describe('the projection', () => {
  const projection = (type: string, inside = '') =>
    read(['type="latlon"', `${type} `], ['size_y="2"/>', `size_y="2">${inside}</projection>`]).projection
  test.each([
    'latlon',
    'lat-lon',
    'Lat_Lon',
    'LAT LON',
    'latlong',
    'lat-long',
    'lonlat',
    'lon-lat',
    'longlat',
    'geographic',
    'WGS84',
    'plate carree',
    'Plate-Carree',
    'equirectangular',
    'eqc',
  ])('%s is in degrees', (type) => {
    expect(projection(`type="${type}"`).kind).toBe('latlon')
    expect(projection(`name="${type}"`).kind).toBe('latlon')
  })

  test.each(['aeqd', 'AEQD', 'azimuthal equidistant', 'Azimuthal_Equidistant', 'azeqd', 'polar', ''])(
    '« %s » is azimuthal equidistant around the radar',
    (type) => {
      const proj4 = '+proj=aeqd +lat_0=48.841 +lon_0=2.587 +x_0=0 +y_0=0 +R=6371000 +units=m +no_defs'
      expect(projection(`type="${type}"`)).toEqual({ kind: 'aeqd', proj4 })
    },
  )

  test('is azimuthal equidistant where nothing names it, around the centre that is given', () => {
    const own = projection('', '<lat_0>48</lat_0><lon_0>2</lon_0>')
    expect(own.kind).toBe('aeqd')
    expect(own.proj4).toContain('+lat_0=48 +lon_0=2 ')
  })

  test('may be a PROJ definition', () => {
    const definition = (text: string) => projection('', `<proj4string>${text}</proj4string>`)
    expect(definition('proj=longlat datum=WGS84').kind).toBe('latlon')
    expect(definition('+proj=latlong').kind).toBe('latlon')
    expect(definition('+proj=laea lat_0=48 lon_0=2 +R=6371000')).toEqual({
      kind: 'aeqd',
      proj4: '+proj=laea +lat_0=48 +lon_0=2 +R=6371000 +x_0=0 +y_0=0',
    })
  })

  test('of another kind is refused', () => {
    const error = refusal(['"latlon"', `"tmerc${'x'.repeat(50)}"`])
    expect(error).toMatchObject({ code: 'rainbow5.unsupported', details: { type: `tmerc${'x'.repeat(50)}` } })
    expect(error.message).toContain(
      `La projection « tmerc${'x'.repeat(35)} » du fichier Rainbow 5 n'est pas lue`,
    )
  })
})

describe('the corners', () => {
  test.each<[string, [string, string][]]>([
    ['beyond the north pole', [['lat_ul="49"', 'lat_ul="90.1"']]],
    ['beyond the south pole', [['lat_lr="48"', 'lat_lr="-90.1"']]],
    ['south of each other', [['lat_ul="49"', 'lat_ul="47"']]],
    ['at one latitude', [['lat_ul="49"', 'lat_ul="48"']]],
    ['east of each other', [['lon_ul="2"', 'lon_ul="4"']]],
    ['at one longitude', [['lon_ul="2"', 'lon_ul="3.5"']]],
    ['in no plane', [['type="latlon"', 'proj4string="+proj=nonesuch"']]],
    [
      'at no end',
      [
        ['type="latlon"', 'proj4string="+proj=merc +to_meter=1e-320"'],
        ['lon_ul="2"', 'lon_ul="-2"'],
        ['lat_lr="48"', 'lat_lr="-48"'],
      ],
    ],
    [
      'at the pole of Mercator',
      [
        ['type="latlon"', 'proj4string="+proj=merc +units=km"'],
        ['lat_ul="49"', 'lat_ul="90"'],
      ],
    ],
  ])('%s are refused', (_, changes) => {
    const error = refusal(...changes)
    expect(error.code).toBe('rainbow5.badHeader')
    expect(error.message).toContain("Les coins ou la projection du produit Rainbow 5 n'ont pas de sens")
    expect(error.details).toMatchObject({ corners: { lonLr: 3.5 } })
  })

  test('may be the poles', () => {
    const { geometry } = read(['lat_ul="49"', 'lat_ul="90"'], ['lat_lr="48"', 'lat_lr="-90"'])
    expect(geometry).toMatchObject({ top: 90, bottom: -90, left: 2, right: 3.5 })
  })

  test('are refused with no more than 200 characters of the plane', () => {
    const plane = `+proj=nonesuch +x_0=${'1'.repeat(300)}`
    const error = refusal(['type="latlon"', `proj4string="${plane}"`])
    expect(error.details.plane).toBe(plane.slice(0, 200))
  })
})
