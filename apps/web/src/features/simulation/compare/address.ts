import { QUANTITIES, type QuantityKey } from './quantities.ts'

/** Runs beside each other that still can be read, and whose addresses still fit. */
export const MOST_RUNS = 24

/** What the comparison shows; it lives in the address. */
export interface CompareAddress {
  /** Runs in the order in which they were chosen. */
  runs: readonly string[]
  /** Run that maps and table are held against; null shows values. */
  base: string | null
  /** Column that rows are sorted by; null leaves the order of choice. */
  sort: { by: QuantityKey; ascending: boolean } | null
  /** Axes of the chart. */
  x: QuantityKey
  y: QuantityKey
}

const RUN_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const KEYS = { runs: 'r', base: 'base', sort: 'tri', x: 'x', y: 'y' } as const
const [X, Y]: [QuantityKey, QuantityKey] = ['rainMm', 'flooded20']

const quantity = (text: string | null): QuantityKey | null =>
  QUANTITIES.find(({ key }) => key === text)?.key ?? null

export function readCompare(params: URLSearchParams): CompareAddress {
  const named = (params.get(KEYS.runs) ?? '').split(',').filter((id) => RUN_ID.test(id))
  const runs = [...new Set(named)].slice(0, MOST_RUNS)
  const base = params.get(KEYS.base)
  const order = params.get(KEYS.sort) ?? ''
  const by = quantity(order.replace(/^-/, ''))
  return {
    runs,
    base: base !== null && runs.includes(base) ? base : null,
    sort: by && { by, ascending: !order.startsWith('-') },
    x: quantity(params.get(KEYS.x)) ?? X,
    y: quantity(params.get(KEYS.y)) ?? Y,
  }
}

/** The address after a change; what is as at first is left out. */
export function writeCompare(before: URLSearchParams, change: Partial<CompareAddress>): URLSearchParams {
  const { runs, base, sort, x, y } = { ...readCompare(before), ...change }
  const params = new URLSearchParams(before)
  const set = (key: string, value: string) => (value === '' ? params.delete(key) : params.set(key, value))
  set(KEYS.runs, runs.slice(0, MOST_RUNS).join(','))
  set(KEYS.base, base !== null && runs.includes(base) ? base : '')
  set(KEYS.sort, sort === null ? '' : `${sort.ascending ? '' : '-'}${sort.by}`)
  set(KEYS.x, x === X ? '' : x)
  set(KEYS.y, y === Y ? '' : y)
  return params
}
