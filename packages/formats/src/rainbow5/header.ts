import { child, type XmlElement } from '../xml.ts'
import { refuse } from './container.ts'

/** The radar that measured, as the header's `sensorinfo` (`radarinfo` in older headers) names it. */
export interface Rainbow5Sensor {
  id: string
  name: string
  lat: number
  lon: number
  /** Above sea level; null where the header has none. */
  altitudeM: number | null
  wavelengthM: number | null
  beamwidthDeg: number | null
}

/** Attribute `name` of the first element that has it, or the text of its child of that name. */
export function field(name: string, ...elements: (XmlElement | undefined)[]): string | undefined {
  for (const element of elements) {
    const value = element?.attributes.get(name) ?? child(element, name)?.text
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** A finite decimal number, or undefined where the field is missing; text that is no number is refused. */
export function numberField(name: string, ...elements: (XmlElement | undefined)[]): number | undefined {
  const text = field(name, ...elements)
  if (text === undefined) return undefined
  const value = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?\s*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value))
    throw refuse(
      'badHeader',
      `Le champ « ${name} » de l'en-tête Rainbow 5 n'est pas un nombre. Copiez le fichier de nouveau depuis le radar.`,
      {
        field: name,
        text: text.slice(0, 80),
      },
    )
  return value
}

export function requiredNumber(name: string, ...elements: (XmlElement | undefined)[]): number {
  const value = numberField(name, ...elements)
  if (value === undefined) throw missing(name)
  return value
}

/** A whole number within [min, max]. */
export function requiredInteger(
  name: string,
  min: number,
  max: number,
  ...elements: (XmlElement | undefined)[]
): number {
  const value = requiredNumber(name, ...elements)
  if (!Number.isInteger(value) || value < min || value > max)
    throw refuse(
      'badHeader',
      `Le champ « ${name} » de l'en-tête Rainbow 5 vaut ${value}, hors de ce qui est accepté. Vérifiez la configuration du produit sur le radar.`,
      {
        field: name,
        value,
        min,
        max,
      },
    )
  return value
}

export function missing(name: string) {
  return refuse(
    'badHeader',
    `Le champ « ${name} » manque dans l'en-tête Rainbow 5. Vérifiez la configuration du produit sur le radar.`,
    {
      field: name,
    },
  )
}

/** First descendant of one of these names, nearest to the top first. */
export function findElement(root: XmlElement, ...names: string[]): XmlElement | undefined {
  let level = [root]
  while (level.length > 0) {
    const found = level.find((element) => names.includes(element.name))
    if (found) return found
    level = level.flatMap((element) => element.children)
  }
  return undefined
}

/** @throws FormatError `rainbow5.badHeader` where there is no radar or no place of it */
export function readSensor(root: XmlElement): Rainbow5Sensor {
  const info = findElement(root, 'sensorinfo', 'radarinfo')
  if (!info) throw missing('sensorinfo')
  const lat = requiredNumber('lat', info)
  const lon = requiredNumber('lon', info)
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) throw missing('sensorinfo/lat')
  return {
    id: field('id', info) ?? '',
    name: field('name', info) ?? field('id', info) ?? '',
    lat,
    lon,
    altitudeM: numberField('alt', info) ?? null,
    wavelengthM: numberField('wavelen', info) ?? null,
    beamwidthDeg: numberField('beamwidth', info) ?? null,
  }
}

/**
 * An instant in UTC, as ISO 8601 with Z, from `date` and `time` (`2013-05-10`, `00:00:06`) or a `datetime`;
 * Rainbow writes UTC with or without the letter Z. Undefined where neither stands there.
 */
export function readInstant(element: XmlElement | undefined): string | undefined {
  const date = field('date', element)
  const time = field('time', element)
  const text = date && time ? `${date}T${time}` : field('datetime', element)
  if (text === undefined) return undefined
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z?$/.exec(text)
  const ms = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  if (Number.isNaN(ms))
    throw refuse(
      'badHeader',
      `La date « ${text.slice(0, 40)} » de l'en-tête Rainbow 5 est illisible. Copiez le fichier de nouveau depuis le radar.`,
    )
  const iso = new Date(ms).toISOString()
  // Date.parse takes 30 February and makes it 2 March; such a date is damage.
  if (!iso.startsWith(match![1]))
    throw refuse(
      'badHeader',
      `La date « ${text} » n'existe pas. Copiez le fichier de nouveau depuis le radar.`,
    )
  return iso
}
