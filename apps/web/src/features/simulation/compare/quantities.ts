import type { RunsAxis } from '@radx/charts/runs-chart'
import type { RunFigures } from '@radx/contracts/figures'
import { csvText } from '@radx/locale/csv'
import { MISSING_FR } from '@radx/locale/format-fr'
import { compareTexts as texts } from '../../../texts/compare.ts'

export type QuantityKey = keyof typeof texts.quantities

/** A number of a run. */
export interface Quantity {
  key: QuantityKey
  decimals: number
  /** null where the run has none, as without a network. */
  of(figures: RunFigures): number | null
}

const floodedHa = (figures: RunFigures, fromM: number): number | null => {
  const found = figures.flooded.find((one) => one.fromM === fromM)
  return found ? found.areaM2 / 10_000 : null
}

/** Columns of the comparison, in their order; names and units stand in the texts. */
export const QUANTITIES: readonly Quantity[] = [
  { key: 'rainMm', decimals: 1, of: ({ rainMm }) => rainMm },
  { key: 'rainPeak', decimals: 1, of: ({ rainPeak }) => rainPeak?.rateMmH ?? null },
  { key: 'durationH', decimals: 1, of: ({ durationS }) => durationS / 3600 },
  { key: 'deepestCm', decimals: 0, of: ({ deepest }) => (deepest ? 100 * deepest.depthM : 0) },
  { key: 'flooded10', decimals: 2, of: (figures) => floodedHa(figures, 0.1) },
  { key: 'flooded20', decimals: 2, of: (figures) => floodedHa(figures, 0.2) },
  { key: 'overflowing', decimals: 0, of: ({ sewer }) => sewer?.overflowing ?? null },
  { key: 'overflowM3', decimals: 0, of: ({ sewer }) => sewer?.overflowM3 ?? null },
  { key: 'surcharged', decimals: 0, of: ({ sewer }) => sewer?.surcharged ?? null },
  { key: 'outfallPeak', decimals: 2, of: ({ outfallPeak }) => outfallPeak?.flowM3S ?? null },
  { key: 'outfallM3', decimals: 0, of: ({ sewer }) => sewer?.outfallM3 ?? null },
  { key: 'infiltratedMm', decimals: 1, of: ({ infiltratedMm }) => infiltratedMm },
  { key: 'interceptedMm', decimals: 1, of: ({ interceptedMm }) => interceptedMm },
]

export const quantityOf = (key: QuantityKey): Quantity => QUANTITIES.find((one) => one.key === key)!

/** What a chart writes along an axis of a quantity. */
export const axisOf = (key: QuantityKey): RunsAxis => ({
  ...texts.quantities[key],
  decimals: quantityOf(key).decimals,
})

/** A run of the comparison: what names it, and its numbers once they have come. */
export interface Row {
  id: string
  title: string
  catchment: string
  rain: string
  land: string
  equations: string
  figures: RunFigures | null
}

/** Rows in the order of a quantity, those without it at the end; equal ones as they were. */
export function sortRows<T extends Pick<Row, 'figures'>>(
  rows: readonly T[],
  by: QuantityKey,
  ascending: boolean,
): T[] {
  const { of } = quantityOf(by)
  const value = ({ figures }: T) => figures && of(figures)
  return rows.toSorted((a, b) => {
    const [va, vb] = [value(a), value(b)]
    if (va === null || vb === null) return Number(va === null) - Number(vb === null)
    return ascending ? va - vb : vb - va
  })
}

/** The table as a file: all digits, a column a quantity with its unit. */
export function compareCsv(rows: readonly Row[]): string {
  const head = QUANTITIES.map(({ key }) => {
    const { name, unit } = texts.quantities[key]
    return unit === '' ? name : `${name} (${unit})`
  })
  return csvText([
    [...texts.about, ...head],
    ...rows.map(({ title, catchment, rain, land, equations, figures }) => [
      ...[title, catchment, rain, land, equations],
      ...QUANTITIES.map(({ of }) => (figures && of(figures)) ?? MISSING_FR),
    ]),
  ])
}

/** Least, lower quartile, median, upper quartile and most of some values, the quartiles between values by rank (type 7). */
export function fiveNumbers(values: readonly number[]): [number, number, number, number, number] | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const k = Math.floor(place)
    return sorted[k] + (place - k) * ((sorted[k + 1] ?? sorted[k]) - sorted[k])
  }
  return [at(0), at(0.25), at(0.5), at(0.75), at(1)]
}
