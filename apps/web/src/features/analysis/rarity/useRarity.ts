import { RETURN_PERIODS_DAYS } from '@radx/contracts/constants'
import type { LatLng } from '@radx/contracts/site'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAddressParams } from '../../../app/address-params.ts'
import type { Gauges } from '../../../gauges/useGauges.ts'
import { useRainMethod } from '../../../player/rain-method.ts'
import { montanaTablesQuery, returnPeriodsQuery } from '../../../storms/api.ts'
import { gaugeTexts } from '../../../texts/gauges.ts'
import { type ExportRequest, exportQuery, isOver } from '../exports/request.ts'

/** The tables of return periods, and the one by which rarity is told: `table` of the address, else the first. */
export function useTables() {
  const tables = useQuery(montanaTablesQuery)
  const [params, setParams] = useAddressParams()
  const wanted = params.get('table')
  const choose = useCallback(
    (id: string) =>
      setParams((next) => {
        next.set('table', id)
        return next
      }),
    [setParams],
  )
  return { tables, chosen: tables.data?.find(({ id }) => id === wanted) ?? tables.data?.[0], choose }
}

/** Gauges that stand over a cell of the radar: those that the call takes. */
export const ratedGauges = ({ list }: Pick<Gauges, 'list'>): LatLng[] =>
  list.filter(({ data }) => data?.radarPixel).map(({ point }) => point.pos)

/** What these are called on the map and in the synthesis. */
export const ratedNames = ({ list }: Pick<Gauges, 'list'>): string[] =>
  list.flatMap(({ data }, i) => (data?.radarPixel ? [gaugeTexts.name(list.length - i)] : []))

/** Depths of the period with their return periods: the chosen basin, its parts, then the gauges in their order. */
export function useRarePlaces(request: ExportRequest, gauges: readonly LatLng[], table: string | undefined) {
  const { p, s, e, c, sc } = exportQuery(request)
  const method = useRainMethod((state) => state.method)
  const g = gauges.map(({ lat, lng }) => `${lat},${lng}`).join(';') || null
  const query = returnPeriodsQuery({ p, s, e, c, sc, g, table: table ?? '', method })
  const tooLong = isOver({ s, e }, RETURN_PERIODS_DAYS)
  const nowhere = c === null && g === null
  const found = useQuery({ ...query, enabled: table !== undefined && !nowhere && !tooLong })
  return { found, nowhere, tooLong }
}
