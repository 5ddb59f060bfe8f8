import { shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import { BadRequest } from '../../http/errors.ts'
import { CRS } from '../crs.ts'
import { CRS_ADDRESSES, CRS84, crsAddress, toPlane } from '../features/query.ts'
import { type MapWindow, PIXELS_MAX, SIDE_MAX } from '../wms/request.ts'
import type { Mapped } from './mapped.ts'

/** Pixels of the longer side of a picture that says nothing of its size. */
const SIDE = 1_024

const side = z.coerce.number().int().min(1).max(SIDE_MAX).optional()

/** What a map takes (OGC 20-058); anything else is refused. */
export const mapQuery = z.strictObject({
  bbox: shortText().optional(),
  'bbox-crs': shortText().optional(),
  crs: shortText().optional(),
  width: side,
  height: side,
  datetime: shortText().optional(),
  transparent: z.enum(['true', 'false']).default('true'),
  bgcolor: z
    .string()
    .regex(/^(0x|#)?[0-9a-f]{6}$/i, 'une couleur comme 0xFFFFFF')
    .default('0xFFFFFF'),
  f: shortText().optional(),
})

/** The ground and size of a map: the whole product in degrees unless told. @throws BadRequest */
export function windowOf(mapped: Pick<Mapped, 'bounds'>, query: z.output<typeof mapQuery>): MapWindow {
  const address = crsAddress(query.crs)
  const crs = CRS.get(CRS_ADDRESSES.get(address) ?? '')!
  const [west, south, east, north] = boxOf(mapped, query, address)
  const [across, up] = [east - west, north - south]
  const perUnit = SIDE / Math.max(across, up)
  const width =
    query.width ?? sideOf(query.height === undefined ? across * perUnit : (across / up) * query.height)
  const height = query.height ?? sideOf((up / across) * width)
  if (width * height > PIXELS_MAX)
    throw new BadRequest('bbox', 'width', `L'image dépasse ${PIXELS_MAX} pixels.`)
  return { crs, west, south, east, north, width, height }
}

const sideOf = (pixels: number): number => Math.max(1, Math.min(SIDE_MAX, Math.round(pixels)))

/** West, south, east, north in the plane of the picture. */
function boxOf(
  { bounds: { ul, lr } }: Pick<Mapped, 'bounds'>,
  { bbox, 'bbox-crs': boxCrs }: z.output<typeof mapQuery>,
  address: string,
): [number, number, number, number] {
  const given = crsAddress(boxCrs)
  const isOwn = given === address
  const northFirst = bbox !== undefined && CRS.get(CRS_ADDRESSES.get(given) ?? '')!.northFirst
  const text = bbox?.split(',') ?? [ul.lng, lr.lat, lr.lng, ul.lat].map(String)
  const numbers = text.map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const wrong = (words: string) => new BadRequest('bbox', 'bbox', words)
  if (numbers.length !== 4 || !numbers.every(Number.isFinite))
    throw wrong('bbox attend quatre nombres : ouest,sud,est,nord.')
  const [a, b, c, d] = numbers
  const box: [number, number, number, number] = northFirst ? [b, a, d, c] : [a, b, c, d]
  if (!(box[0] < box[2] && box[1] < box[3]))
    throw wrong('bbox est vide ou à l’envers : ouest,sud,est,nord, sans passer 180°.')
  if (bbox !== undefined && isOwn) return box
  if (bbox !== undefined && given !== CRS84)
    throw wrong('bbox-crs est CRS84, ou le système de l’image (crs).')
  const place = toPlane(address)
  const corners = [
    [box[0], box[1]],
    [box[2], box[1]],
    [box[2], box[3]],
    [box[0], box[3]],
  ].map(([lng, lat]) => place([lng, lat]))
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  if (![...xs, ...ys].every(Number.isFinite)) throw wrong('bbox n’est pas dans le système de l’image.')
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
