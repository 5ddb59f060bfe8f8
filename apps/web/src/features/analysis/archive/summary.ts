import type { ArchiveResponse, Cumulated, RadarImage } from '@radx/contracts/radar'
import type { LatLng } from '@radx/contracts/site'
import { nearestImage } from '../../../player/nearest.ts'

export interface ArchiveSummary {
  frames: number
  /** Share of the period that no image stands for, 0 to 1. */
  missingShare: number
  /** Mean intensity over the zone while there were images, mm/h; null without any. */
  meanMmH: number | null
  /** Mean of the images' Rmoyen, mm/h; null without rain or data. */
  rmoyenMmH: number | null
  /** Strongest cell of the whole period, where and when, and the image nearest to it; null without rain. */
  max: { valueMmH: number; at: LatLng | null; datetime: string; index: number } | null
  zoneMm: number | null
  /** null without a basin. */
  catchmentMm: number | null
}

/** What a loaded period amounts to. @param period [s, e) as chosen, ISO instants */
export function summarise(
  {
    images,
    cumulated,
    every,
  }: Pick<ArchiveResponse, 'images' | 'every'> & { cumulated: Omit<Cumulated, 'moved'> },
  period: { s: string; e: string },
): ArchiveSummary {
  const seconds = (Date.parse(period.e) - Date.parse(period.s)) / 1000
  const covered = seconds - cumulated.missingSeconds
  const rates = images.flatMap(({ nonzerosmean }) => (nonzerosmean === null ? [] : [nonzerosmean]))
  const zoneMm = cumulated.zoneMm.at(-1) ?? null
  const strongest = every ? every.max : strongestOf(images)
  const index = strongest && nearestImage(images, strongest.datetime, Number.POSITIVE_INFINITY)
  return {
    frames: every?.frames ?? images.length,
    missingShare: seconds > 0 ? Math.min(1, Math.max(0, cumulated.missingSeconds / seconds)) : 0,
    meanMmH: zoneMm === null || covered <= 0 ? null : zoneMm / (covered / 3600),
    rmoyenMmH: every ? every.rmoyenMmH : mean(rates),
    max: strongest === null || index === null ? null : { ...strongest, index },
    zoneMm,
    catchmentMm: cumulated.catchmentMm?.at(-1) ?? null,
  }
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function strongestOf(
  images: ArchiveResponse['images'],
): { valueMmH: number; at: LatLng | null; datetime: string } | null {
  let found: RadarImage | null = null
  for (const image of images) if ((image.max ?? 0) > (found?.max ?? 0)) found = image
  return found && { valueMmH: found.max as number, at: found.maxAt, datetime: found.datetime }
}
