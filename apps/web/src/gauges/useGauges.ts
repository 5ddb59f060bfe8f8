import type { PixelResponse } from '@radx/contracts/radar'
import type { LatLng } from '@radx/contracts/site'
import { gaugePlace } from '@radx/rainfall/gauge-place'
import { cellOf, type ProductGrid } from '@radx/rainfall/grid'
import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useAddressParams } from '../app/address-params.ts'
import { callJson } from '../app/api/client.ts'
import { genericErrorText } from '../app/api/errors.ts'
import { useShapefiles } from '../app/auth/shapefiles.ts'
import { isManager, isSignedIn, useAuth } from '../app/auth/store.ts'
import { basinBounds } from '../map/basins.ts'
import { catchmentsQuery } from '../selection/api.ts'
import { gaugeTexts } from '../texts/gauges.ts'
import { type GaugePoint, pointAt, readGauges, writeGauges } from './address.ts'
import { addPoint, removePoint } from './points.ts'

/** The period whose series gauges show: chosen, or the live window that ends with `newest`. */
export type GaugePeriod = { s: string; e: string } | { newest: string | null }

const LIVE = 'live'

const pixelQuery = (product: string, period: GaugePeriod, { lat, lng }: LatLng) =>
  queryOptions({
    queryKey:
      's' in period ? ['pixel', product, period.s, period.e, lat, lng] : ['pixel', product, LIVE, lat, lng],
    queryFn: ({ signal }) =>
      callJson<PixelResponse>('/api/products/pixel', {
        query: { p: product, lat, lng, ...('s' in period ? period : {}) },
        signal,
      }),
    enabled: 's' in period || period.newest !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A gauge's totals by one method. */
export type GaugeTotals = Pick<PixelResponse, 'cumulMm' | 'missingSeconds'>

export interface Gauge {
  point: GaugePoint
  data: PixelResponse | null
  error: Error | null
  retry: () => void
}

export interface Gauges {
  /** Newest first. */
  list: readonly Gauge[]
  /** Places a gauge where the reader clicked, when that is allowed; null for those who may not have any. */
  place: ((pos: LatLng) => void) | null
  remove: (point: GaugePoint) => void
  /** What is said on the map itself: the last click there, or the gauge that was asked for; null says nothing. */
  opened: Opened | null
  /** Shows a gauge on the map. */
  open: (pos: LatLng) => void
  close: () => void
  /** Whether a gauge is that of a place: both lie in one cell. */
  isAt: (point: GaugePoint, pos: LatLng) => boolean
}

interface Opened {
  pos: LatLng
  /** Why there is no gauge. */
  refusal: string | null
  /** Asked for at a marker. */
  focused: boolean
}

/** Pixel gauges of a map, kept in its address as `g`. */
export function useGauges(product: string, grid: ProductGrid, period: GaugePeriod): Gauges {
  const [params, setParams] = useAddressParams()
  const signedIn = useAuth(isSignedIn)
  const manager = useAuth(isManager)
  const client = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const text = signedIn ? params.get('g') : null
  const points = useMemo(() => readGauges(text, grid), [text, grid])
  const { layers } = useShapefiles()
  const { data: catchments } = useQuery({ ...catchmentsQuery, enabled: signedIn })
  const results = useQueries({ queries: points.map(({ pos }) => pixelQuery(product, period, pos)) })

  // The live window moved on: the series are asked for again, and stay on the screen meanwhile.
  const newest = 's' in period ? null : period.newest
  const asked = useRef(newest)
  useEffect(() => {
    if (newest !== null && asked.current !== null && newest !== asked.current)
      void client.invalidateQueries({ queryKey: ['pixel', product, LIVE] })
    asked.current = newest
  }, [client, product, newest])

  const write = useCallback(
    (change: (before: readonly GaugePoint[]) => readonly GaugePoint[]) =>
      setParams((now) => {
        const next = writeGauges(change(readGauges(now.get('g'), grid)))
        if (next === null) now.delete('g')
        else now.set('g', next)
        return now
      }),
    [setParams, grid],
  )

  const place = useCallback(
    async (pos: LatLng) => {
      if (!manager && catchments === undefined) return
      const say = (refusal: string | null) => setOpened({ pos, refusal, focused: false })
      // Outside the product there is nothing.
      if (cellOf(grid, pos) === null) return say(gaugeTexts.outsideCoverage)
      const ground = { manager, basins: basinBounds(catchments), layers: layers.map(({ bounds }) => bounds) }
      const verdict = gaugePlace(ground, pos)
      if (verdict !== 'allowed') {
        say(gaugeTexts[verdict])
        return
      }
      say(null)
      const point = pointAt(grid, pos)
      const before = readGauges(new URLSearchParams(window.location.search).get('g'), grid)
      if (addPoint(before, point) === before) return
      try {
        const answer = await client.fetchQuery(pixelQuery(product, period, point.pos))
        if (answer.radarPixel !== null) write((now) => addPoint(now, point))
        else say(gaugeTexts.outsideCoverage)
      } catch (error) {
        say(genericErrorText(error))
      }
    },
    [client, grid, manager, catchments, layers, product, period, write],
  )

  return {
    list: points.map((point, i) => ({
      point,
      data: results[i].data ?? null,
      error: results[i].error,
      retry: () => void results[i].refetch(),
    })),
    place: signedIn ? place : null,
    remove: ({ radarPixel, pos }) =>
      write((now) =>
        Number.isNaN(radarPixel.row)
          ? now.filter((other) => other.pos.lat !== pos.lat || other.pos.lng !== pos.lng)
          : removePoint(now, radarPixel),
      ),
    opened,
    open: (pos) => setOpened({ pos, refusal: null, focused: true }),
    close: () => setOpened(null),
    isAt: ({ radarPixel, pos: own }, pos) => {
      const cell = cellOf(grid, pos)
      return cell === null
        ? own.lat === pos.lat && own.lng === pos.lng
        : cell.row === radarPixel.row && cell.col === radarPixel.col
    },
  }
}
