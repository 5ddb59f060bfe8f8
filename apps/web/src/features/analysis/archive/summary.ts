import type { ArchiveResponse } from '@radx/contracts/radar'
import type { LatLng } from '@radx/contracts/site'

export interface ArchiveSummary {
  frames: number
  /** Share of the period that no image stands for, 0 to 1. */
  missingShare: number
  /** Mean intensity over the zone while there were images, mm/h; null without any. */
  meanMmH: number | null
  /** Mean of the images' Rmoyen, mm/h; null without rain or data. */
  rmoyenMmH: number | null
  /** Strongest cell of all images, where and when; null without rain. */
  max: { valueMmH: number; at: LatLng | null; index: number } | null
  zoneMm: number | null
  /** null without a basin. */
  catchmentMm: number | null
}

/** What a loaded period amounts to. @param period [s, e) as chosen, ISO instants */
export function summarise(
  { images, cumulated }: Pick<ArchiveResponse, 'images' | 'cumulated'>,
  period: { s: string; e: string },
): ArchiveSummary {
  const seconds = (Date.parse(period.e) - Date.parse(period.s)) / 1000
  const covered = seconds - cumulated.missingSeconds
  const rates = images.flatMap(({ nonzerosmean }) => (nonzerosmean === null ? [] : [nonzerosmean]))
  const zoneMm = cumulated.zoneMm.at(-1) ?? null
  let max: ArchiveSummary['max'] = null
  images.forEach(({ max: valueMmH, maxAt }, index) => {
    if (valueMmH !== null && valueMmH > (max?.valueMmH ?? 0)) max = { valueMmH, at: maxAt, index }
  })
  return {
    frames: images.length,
    missingShare: seconds > 0 ? Math.min(1, Math.max(0, cumulated.missingSeconds / seconds)) : 0,
    meanMmH: zoneMm === null || covered <= 0 ? null : zoneMm / (covered / 3600),
    rmoyenMmH: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    max,
    zoneMm,
    catchmentMm: cumulated.catchmentMm?.at(-1) ?? null,
  }
}
