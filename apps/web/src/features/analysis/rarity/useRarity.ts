import type { LatLng } from '@radx/contracts/site'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import type { Gauges } from '../../../gauges/useGauges.ts'
import { useRainMethod } from '../../../player/rain-method.ts'
import { montanaTablesQuery, returnPeriodsQuery } from '../../../storms/api.ts'
import { type ExportRequest, exportQuery } from '../exports/request.ts'

/** Id of the table that the reader took; null is the first. */
const useWanted = create<{ id: string | null }>()(() => ({ id: null }))

export const chooseTable = (id: string) => useWanted.setState({ id })

/** The tables of return periods, and the one by which rarity is told. */
export function useTables() {
  const tables = useQuery(montanaTablesQuery)
  const wanted = useWanted((state) => state.id)
  return { tables, chosen: tables.data?.find(({ id }) => id === wanted) ?? tables.data?.[0] }
}

/** Gauges that stand over a cell of the radar: those that the call takes. */
export const ratedGauges = ({ list }: Pick<Gauges, 'list'>): LatLng[] =>
  list.filter(({ data }) => data?.radarPixel).map(({ point }) => point.pos)

/** Depths of the period with their return periods: the chosen basin, its parts, then the gauges in their order. */
export function useRarePlaces(request: ExportRequest, gauges: readonly LatLng[], table: string | undefined) {
  const { p, s, e, c, sc } = exportQuery(request)
  const method = useRainMethod((state) => state.method)
  const g = gauges.map(({ lat, lng }) => `${lat},${lng}`).join(';') || null
  const query = returnPeriodsQuery({ p, s, e, c, sc, g, table: table ?? '', method })
  const found = useQuery({ ...query, enabled: table !== undefined && (c !== null || g !== null) })
  return { found, nowhere: c === null && g === null }
}
