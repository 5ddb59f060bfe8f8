import { describe, expect, test } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { parseXml } from '../xml.ts'
import { field, findElement, numberField, readInstant, readSensor, requiredInteger } from './header.ts'

test('a field is an attribute or the text of a child, of the first element that has it', () => {
  const one = parseXml('<a x="1" empty=""><y>2</y><x>3</x></a>')
  const two = parseXml('<a z="4" y="5"><empty>6</empty></a>')
  expect(['x', 'y', 'z', 'empty', 'q'].map((name) => field(name, undefined, one, two))).toEqual([
    '1',
    '2',
    '4',
    '6',
    undefined,
  ])
})

describe('numbers', () => {
  const number = (text: string) => numberField('x', parseXml(`<a x="${text}"/>`))
  test.each([
    ['1', 1],
    [' -1.50 ', -1.5],
    ['+12.', 12],
    ['.25', 0.25],
    ['1e3', 1000],
    ['2.5E-12', 2.5e-12],
  ])('%s', (text, value) => {
    expect(number(text)).toBe(value)
  })
  test.each(['x', '1,5', '0x10', '1 2', '1e', '1e999', 'NaN', 'x1', '1x', '.', '1e1000'])(
    '%s is none',
    (text) => {
      const error = refusal(() => number(text))
      expect(error).toMatchObject({ code: 'rainbow5.badHeader', details: { field: 'x', text } })
      expect(error.message).toContain("Le champ « x » de l'en-tête Rainbow 5 n'est pas un nombre")
    },
  )
  test('text that is none is quoted up to 80 characters', () => {
    expect(refusal(() => number('y'.repeat(100))).details.text).toBe('y'.repeat(80))
  })
  test('whole numbers within bounds, both allowed', () => {
    const integer = (text: string) => requiredInteger('x', 2, 5, parseXml(`<a x="${text}"/>`))
    expect([integer('2'), integer('5')]).toEqual([2, 5])
    for (const text of ['1', '6', '2.5']) {
      const error = refusal(() => integer(text))
      expect(error).toMatchObject({
        code: 'rainbow5.badHeader',
        details: { field: 'x', value: Number(text), min: 2, max: 5 },
      })
      expect(error.message).toContain(`« x » de l'en-tête Rainbow 5 vaut ${text}`)
    }
    const missing = refusal(() => integer(''))
    expect(missing).toMatchObject({ code: 'rainbow5.badHeader', details: { field: 'x' } })
    expect(missing.message).toContain('« x » manque')
  })
})

describe('the radar', () => {
  const sensor = (inside: string, attributes = '') =>
    readSensor(parseXml(`<v><w><sensorinfo ${attributes}>${inside}</sensorinfo></w></v>`))
  const PLACE = '<lon>2.5</lon><lat>48.8</lat>'
  test('has a place, and what else the header says', () => {
    expect(
      sensor(
        `${PLACE}<alt>97.5</alt><wavelen>0.032</wavelen><beamwidth>1</beamwidth>`,
        'id="ENPC" name="Champs"',
      ),
    ).toEqual({
      id: 'ENPC',
      name: 'Champs',
      lat: 48.8,
      lon: 2.5,
      altitudeM: 97.5,
      wavelengthM: 0.032,
      beamwidthDeg: 1,
    })
    expect(sensor(PLACE)).toEqual({
      id: '',
      name: '',
      lat: 48.8,
      lon: 2.5,
      altitudeM: null,
      wavelengthM: null,
      beamwidthDeg: null,
    })
    expect(sensor(PLACE, 'id="BOX"').name).toBe('BOX')
  })
  test('stands on the globe', () => {
    expect(sensor('<lon>-180</lon><lat>90</lat>')).toMatchObject({ lat: 90, lon: -180 })
    for (const place of ['<lon>0</lon><lat>90.1</lat>', '<lon>-180.1</lon><lat>0</lat>'])
      expect(refusal(() => sensor(place)).details).toEqual({ field: 'sensorinfo/lat' })
  })
  test('is missed by name', () => {
    expect(refusal(() => sensor('<lon>1</lon>')).details).toEqual({ field: 'lat' })
    expect(refusal(() => sensor('<lat>1</lat>')).details).toEqual({ field: 'lon' })
    expect(refusal(() => readSensor(parseXml('<v/>'))).details).toEqual({ field: 'sensorinfo' })
  })
  test('is looked for from the top', () => {
    const xml = '<v><a><radarinfo id="deep"/></a><radarinfo id="near"/></v>'
    expect(findElement(parseXml(xml), 'sensorinfo', 'radarinfo')?.attributes.get('id')).toBe('near')
  })
})

describe('an instant', () => {
  const instant = (attributes: string) => readInstant(parseXml(`<a ${attributes}/>`))
  test.each([
    ['date="2013-05-10" time="00:00:06"', '2013-05-10T00:00:06.000Z'],
    ['date="2013-05-10" time="23:59:59Z"', '2013-05-10T23:59:59.000Z'],
    ['datetime="2013-05-10T00:00:06"', '2013-05-10T00:00:06.000Z'],
    ['datetime="2013-05-10 00:00:06Z"', '2013-05-10T00:00:06.000Z'],
    // Parts of a second are left out.
    ['datetime="2013-05-10T00:00:06.789"', '2013-05-10T00:00:06.000Z'],
    // Date and time come before both in one.
    ['date="2013-05-10" time="00:00:06" datetime="2014-01-01T00:00:00"', '2013-05-10T00:00:06.000Z'],
    ['date="2013-05-10" datetime="2014-01-01T00:00:00"', '2014-01-01T00:00:00.000Z'],
    ['time="00:00:06" datetime="2014-01-01T00:00:00"', '2014-01-01T00:00:00.000Z'],
    ['date="2024-02-29" time="12:00:00"', '2024-02-29T12:00:00.000Z'],
  ])('%s', (attributes, iso) => {
    expect(instant(attributes)).toBe(iso)
  })
  test('is none where nothing says one', () => {
    expect(instant('')).toBeUndefined()
    expect(instant('date="2013-05-10"')).toBeUndefined()
    expect(readInstant(undefined)).toBeUndefined()
  })
  test.each([
    ['datetime="10/05/2013 00:00:06"', 'illisible'],
    ['datetime="2013-05-10"', 'illisible'],
    ['datetime="x2013-05-10T00:00:06"', 'illisible'],
    ['datetime="2013-05-10T00:00:06+02"', 'illisible'],
    ['datetime="2013-05-10T24:30:00"', 'illisible'],
    ['datetime="2013-13-10T00:00:00"', 'illisible'],
    ['date="2013-02-30" time="00:00:00"', "n'existe pas"],
  ])('%s is damage', (attributes, says) => {
    const error = refusal(() => instant(attributes))
    expect(error.code).toBe('rainbow5.badHeader')
    expect(error.message).toContain(says)
    expect(error.message).toContain('de nouveau depuis le radar')
  })
  test('that is long is quoted up to 40 characters', () => {
    expect(refusal(() => instant(`datetime="${'9'.repeat(50)}"`)).message).toContain(`« ${'9'.repeat(40)} »`)
  })
})
