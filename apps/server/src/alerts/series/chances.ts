import { type AlertMeasure, NOWCAST_CHANCES_MM_H } from '@radx/contracts'
import { cellOf, RATE_NO_DATA } from '@radx/rainfall'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  CHANCE_MISSING,
  type KeptForecast,
  KeptForecasts,
  partsOf,
  partsOfLead,
  readField,
  widestFirst,
} from '../../nowcast/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import type { GridCell } from '../../store/tile-file.ts'
import type { Sample } from '../machine.ts'
import { outside } from './rain.ts'

/** Fields of a byte a cell that are held for other rules of the same look. */
const MOST_FIELDS = 120

type ChanceMeasure = Extract<AlertMeasure, { kind: 'rain-chance' }>

/** Chances of rain at points, as kept forecasts give them. */
export class ChanceSeries {
  private readonly store: Store
  private readonly kept: KeptForecasts
  private readonly span: Span
  private readonly rows = new Map<string, Promise<KeptForecast[]>>()
  private readonly fields = new Map<string, Promise<Uint8Array>>()
  /** Cells that rules look at, by product, and the moments at which each was seen. */
  private readonly cells = new Map<string, Map<string, GridCell>>()
  private readonly seen = new Map<string, Promise<Map<string, Set<number>>>>()

  constructor(
    { db, store }: { db: Kysely<Database>; store: Store },
    span: Span,
    asked: readonly AlertMeasure[],
  ) {
    this.store = store
    this.kept = new KeptForecasts(db, store.frames)
    this.span = span
    for (const measure of asked) {
      const product = measure.kind === 'rain-chance' ? this.productAt(measure) : undefined
      if (!product) continue
      const cell = cellOf(product, measure as ChanceMeasure)!
      const cells = this.cells.get(product.shortName) ?? new Map()
      this.cells.set(product.shortName, cells.set(keyOf(cell), cell))
    }
  }

  private productAt({ lat, lng }: Pick<ChanceMeasure, 'lat' | 'lng'>): StoredProduct | undefined {
    return widestFirst(this.store).find((one) => cellOf(one, { lat, lng }))
  }

  /**
   * A value a forecast: the largest chance, %, within the time asked for. One whose members are still to come has none yet. A
   * dry image has the chance 0 where it was seen to be dry.
   * @throws RadxError for a point outside every product
   */
  async samples(
    { lat, lng, aboveMmH, withinMin }: ChanceMeasure,
    progress: (share: number) => void,
  ): Promise<Sample[]> {
    const product = this.productAt({ lat, lng })
    if (!product) throw outside()
    const cell = cellOf(product, { lat, lng })!
    const index = cell.row * product.steps + cell.col
    const threshold = (NOWCAST_CHANCES_MM_H as readonly number[]).indexOf(aboveMmH)
    const samples: Sample[] = []
    const rows = await this.rowsOf(product)
    for (const [k, row] of rows.entries()) {
      progress(k / rows.length)
      const timeMs = row.issued.getTime()
      if (row.reason === 'dry')
        samples.push({ timeMs, value: (await this.seenAt(product, cell)).has(timeMs) ? 0 : null })
      else if (row.reason !== null) samples.push({ timeMs, value: null })
      else if (row.members > 0) {
        const leads = row.leads.flatMap((lead, at) => (lead <= withinMin ? [at] : []))
        samples.push({ timeMs, ...(await this.largest(product, row, leads, threshold, index)) })
      }
    }
    return samples
  }

  /** Moments at which a cell had a value. */
  private async seenAt(product: StoredProduct, cell: GridCell): Promise<Set<number>> {
    const { shortName } = product
    // All that rules look at together: each reading costs as much.
    const all =
      this.seen.get(shortName) ?? this.read(product, [...(this.cells.get(shortName)?.values() ?? [])])
    this.seen.set(shortName, all)
    return (await all).get(keyOf(cell)) ?? new Set()
  }

  private async read(product: StoredProduct, cells: GridCell[]): Promise<Map<string, Set<number>>> {
    const { timesMs, codes } = await this.store.pixels.readCells(product, cells, this.span)
    return new Map(
      cells.map((cell, k) => [keyOf(cell), new Set(timesMs.filter((_, i) => codes[k][i] !== RATE_NO_DATA))]),
    )
  }

  private rowsOf(product: StoredProduct): Promise<KeptForecast[]> {
    const found = this.rows.get(product.shortName)
    if (found) return found
    const rows = this.kept.issued(product, this.span.startMs, this.span.endMs)
    this.rows.set(product.shortName, rows)
    return rows
  }

  private async largest(
    product: StoredProduct,
    row: KeptForecast,
    leads: readonly number[],
    threshold: number,
    index: number,
  ): Promise<Pick<Sample, 'value' | 'atLeast'>> {
    let [most, missing] = [0, leads.length === 0]
    for (const at of leads) {
      const percent = (await this.field(product, row, at * partsOfLead + threshold))[index]
      if (percent === CHANCE_MISSING) missing = true
      else most = Math.max(most, percent)
    }
    return missing ? { value: null, atLeast: most } : { value: most }
  }

  private field(product: StoredProduct, row: KeptForecast, part: number): Promise<Uint8Array> {
    const key = `${product.shortName} ${row.issued.getTime()} ${part}`
    const found = this.fields.get(key)
    if (found) return found
    const field = partsOf(this.store.frames, product, row, 'members', [part]).then(([bytes]) =>
      readField(bytes, product.steps),
    )
    this.fields.set(key, field)
    if (this.fields.size > MOST_FIELDS) this.fields.delete(this.fields.keys().next().value!)
    return field
  }
}

const keyOf = ({ row, col }: GridCell): string => `${row} ${col}`
