import { CRS, type Crs } from '../crs.ts'
import { momentOfTime } from '../frames/moments.ts'
import type { Moment } from '../frames/pictures.ts'
import { WmsError } from './exception.ts'

/** Pixels of a picture: what a wall of screens shows. */
export const SIDE_MAX = 4096
export const PIXELS_MAX = 4_194_304

/** Parameters of a request by their names in capitals: those of WMS are of any case. */
export type WmsParameters = Map<string, string>

/** @throws WmsError for one that is given twice */
export function wmsParameters(query: Record<string, unknown>): WmsParameters {
  const named = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const key = name.toUpperCase()
    if (typeof value !== 'string' || named.has(key))
      throw new WmsError('InvalidParameterValue', `${key} est donné deux fois.`)
    named.set(key, value)
  }
  return named
}

export function needed(parameters: WmsParameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined || value === '')
    throw new WmsError('MissingParameterValue', `Le paramètre ${name} est attendu.`)
  return value
}

/** The ground and size of a picture. Corners are x east, y north, in the units of the system. */
export interface MapWindow {
  crs: Crs
  west: number
  south: number
  east: number
  north: number
  width: number
  height: number
}

/**
 * What a GetMap shows. In version 1.3 boxes of EPSG:4326 are latitude first; in 1.1.1 every box is x, then y.
 * @throws WmsError
 */
export function mapWindow(parameters: WmsParameters, version: string): MapWindow {
  const old = version.startsWith('1.1')
  const code = needed(parameters, old ? 'SRS' : 'CRS').toUpperCase()
  const crs = CRS.get(code)
  if (!crs)
    throw new WmsError(
      old ? 'InvalidSRS' : 'InvalidCRS',
      `${code} n'est pas servi. Systèmes : ${[...CRS.keys()].join(', ')}.`,
    )
  const box = needed(parameters, 'BBOX').split(',')
  const [a, b, c, d] = box.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (box.length !== 4 || ![a, b, c, d].every(Number.isFinite))
    throw new WmsError('InvalidParameterValue', 'BBOX attend quatre nombres : minx,miny,maxx,maxy.')
  const [west, south, east, north] = crs.northFirst && !old ? [b, a, d, c] : [a, b, c, d]
  if (!(west < east && south < north))
    throw new WmsError('InvalidParameterValue', 'BBOX est vide ou à l’envers : minx < maxx et miny < maxy.')
  return { crs, west, south, east, north, ...pictureSize(parameters) }
}

function pictureSize(parameters: WmsParameters): { width: number; height: number } {
  const [width, height] = ['WIDTH', 'HEIGHT'].map((name) => {
    const text = needed(parameters, name)
    const side = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (side < 1 || side > SIDE_MAX)
      throw new WmsError('InvalidParameterValue', `${name} attend un nombre entier de 1 à ${SIDE_MAX}.`)
    return side
  })
  if (width * height > PIXELS_MAX)
    throw new WmsError('InvalidParameterValue', `L'image dépasse ${PIXELS_MAX} pixels.`)
  return { width, height }
}

/**
 * The moment that TIME asks for: the end of an interval, `null` for the newest there is.
 * @throws WmsError for a list and for what is no instant
 */
export function timeOf(parameters: WmsParameters): Moment {
  const moment = momentOfTime(parameters.get('TIME') ?? '')
  if (moment !== undefined) return moment
  throw new WmsError(
    'InvalidDimensionValue',
    'TIME attend un instant ISO 8601, par exemple 2026-06-01T12:00:00Z, un intervalle début/fin, ou current.',
  )
}

/** `#rrggbb` of BGCOLOR. */
export function background(parameters: WmsParameters): string {
  const text = parameters.get('BGCOLOR') ?? '0xFFFFFF'
  if (!/^0x[0-9a-f]{6}$/i.test(text)) throw new WmsError('InvalidParameterValue', 'BGCOLOR attend 0xRRVVBB.')
  return `#${text.slice(2)}`
}
