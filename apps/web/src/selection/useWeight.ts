import { ARCHIVE_MAX_DAYS } from '@radx/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { weightQuery } from './api.ts'
import { chosenPeriod, type Selection } from './selection.ts'

/** The chosen period and how many images it has; both null until both hours are set. */
export function useWeight(selection: Selection) {
  const period = chosenPeriod(selection)
  const query = useQuery(weightQuery(selection.selectedProduct, period))
  const tooLong =
    period !== null && Date.parse(period.e) - Date.parse(period.s) > ARCHIVE_MAX_DAYS * 86_400_000
  return {
    period,
    tooLong,
    slides: period === null ? null : (query.data?.slides ?? null),
    /** When the count came. */
    countedAt: query.dataUpdatedAt,
    pending: period !== null && query.isFetching,
    error: period === null ? null : query.error,
    refetch: query.refetch,
  }
}
