import { ARCHIVE_AT_ONCE_DAYS } from '@radx/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { weightQuery } from './api.ts'
import { chosenPeriod, type Selection } from './selection.ts'

/** Whether a period is long enough for a coarser step to be offered. */
export const isLong = ({ s, e }: { s: string; e: string }): boolean =>
  Date.parse(e) - Date.parse(s) > ARCHIVE_AT_ONCE_DAYS * 86_400_000

/**
 * The chosen period, how many images it has and their bytes; null until both hours are set.
 * @param step seconds; then only the images that stand for such a step
 */
export function useWeight(selection: Selection, step: number | null = null) {
  const period = chosenPeriod(selection)
  const query = useQuery(weightQuery(selection.selectedProduct, period, step))
  return {
    period,
    bytes: period === null ? null : (query.data?.weight ?? null),
    slides: period === null ? null : (query.data?.slides ?? null),
    /** When the count came. */
    countedAt: query.dataUpdatedAt,
    pending: period !== null && query.isFetching,
    error: period === null ? null : query.error,
    refetch: query.refetch,
  }
}
