/** The images of a day by the hour, and the way of the arrow keys through them. */
import type { HourRow } from '@radx/contracts/radar'

export interface HourGroup {
  /** `HH` of the local clock; an hour that the clock goes through twice has two groups. */
  hour: string
  /** Index of the first image among the day's rows. */
  first: number
  rows: readonly HourRow[]
  /** Largest mean over rainy cells, mm/h; null without any value. */
  peakMmH: number | null
}

export function groupHours(rows: readonly HourRow[]): HourGroup[] {
  const groups: (HourGroup & { rows: HourRow[] })[] = []
  rows.forEach((row, index) => {
    const hour = row.localtime.slice(0, 2)
    const last = groups.at(-1)
    if (last?.hour === hour && last.rows.at(-1)!.localtime <= row.localtime) last.rows.push(row)
    else groups.push({ hour, first: index, rows: [row], peakMmH: null })
  })
  for (const group of groups) {
    const rates = group.rows.flatMap(({ nonzerosmean }) => nonzerosmean ?? [])
    if (rates.length > 0) group.peakMmH = Math.max(...rates)
  }
  return groups
}

/** The row that a key leads to: arrows by an image, pages by an hour; null for any other key. */
export function rowByKey(groups: readonly HourGroup[], at: number, key: string): number | null {
  const last = groups.at(-1)
  if (!last) return null
  const end = last.first + last.rows.length - 1
  const group = groups.findLastIndex(({ first }) => first <= at)
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'ArrowDown':
      return Math.min(end, at + 1)
    case 'PageUp':
      return groups[at === groups[group].first ? Math.max(0, group - 1) : group].first
    case 'PageDown':
      return groups[group + 1]?.first ?? end
    case 'Home':
      return 0
    case 'End':
      return end
    default:
      return null
  }
}
