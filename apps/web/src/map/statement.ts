import type { RadarImage } from '@radx/contracts/radar'
import type { LatLng, PublicSite } from '@radx/contracts/site'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { mapTexts } from '../texts/map.ts'

const texts = mapTexts.statement
const KM_PER_DEGREE = 111.2
/** Nearer than this a place is in the town, km. */
const IN_TOWN_KM = 3
/** A smaller part without data is not worth a word, %. */
const WORTH_SAYING_PCT = 1

export type StatedImage = Pick<
  RadarImage,
  'datetime' | 'nonzerosmean' | 'nonzerospc' | 'max' | 'maxAt' | 'validpc'
>

/** Where a place is, told from the nearest town; empty without towns. */
export function placeInWords(at: LatLng, towns: PublicSite['towns']): string {
  let nearest: { name: string; km: number; east: number; north: number } | null = null
  for (const { name, position } of towns) {
    const north = (at.lat - position.lat) * KM_PER_DEGREE
    const east = (at.lng - position.lng) * KM_PER_DEGREE * Math.cos((at.lat * Math.PI) / 180)
    const km = Math.hypot(east, north)
    if (nearest === null || km < nearest.km) nearest = { name, km, east, north }
  }
  if (nearest === null) return ''
  const { name, km, east, north } = nearest
  if (km < IN_TOWN_KM) return texts.inTown(name)
  const eighth = Math.round((Math.atan2(east, north) / (2 * Math.PI)) * 8 + 8) % 8
  return texts.at(String(Math.round(km)), texts.directions[eighth], name)
}

/** What a radar image shows, in one sentence. */
export function imageInWords(
  image: StatedImage,
  { towns, timeZone }: Pick<PublicSite, 'towns' | 'timeZone'>,
) {
  const { datetime, nonzerosmean, nonzerospc, max, maxAt, validpc } = image
  const parts: string[] = []
  if (max !== null && max > 0) {
    parts.push(texts.mean(formatQuantityFr(nonzerosmean, 'mm/h', 1)))
    parts.push(texts.max(formatQuantityFr(max, 'mm/h', 1), maxAt === null ? '' : placeInWords(maxAt, towns)))
    parts.push(texts.coverage(formatQuantityFr(nonzerospc, '%', 1)))
  } else if (validpc > 0) parts.push(texts.dry)
  if (validpc <= 100 - WORTH_SAYING_PCT) parts.push(texts.missing(formatQuantityFr(100 - validpc, '%', 0)))
  return texts.image(formatDateTimeFr(datetime, timeZone), parts)
}
