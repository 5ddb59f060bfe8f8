import { type AlertMeasure, NOWCAST_CHANCES_MM_H } from '@radx/contracts'
import { cellOf } from '@radx/rainfall'
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
import type { Sample } from '../machine.ts'
import { outside } from './rain.ts'

/** Fields of a byte a cell that are held for other rules of the same look. */
const MOST_FIELDS = 120

/** Chances of rain at points, as kept forecasts give them. */
export class ChanceSeries {
  private readonly store: Store
  private readonly kept: KeptForecasts
  private readonly span: Span
  private readonly rows = new Map<string, Promise<KeptForecast[]>>()
  private readonly fields = new Map<string, Promise<Uint8Array>>()

  constructor({ db, store }: { db: Kysely<Database>; store: Store }, span: Span) {
    this.store = store
    this.kept = new KeptForecasts(db, store.frames)
    this.span = span
  }

  /**
   * A value a forecast: the largest chance, %, within the time asked for. One whose members are still to come has none yet.
   * @throws RadxError for a point outside every product
   */
  async samples(
    { lat, lng, aboveMmH, withinMin }: Extract<AlertMeasure, { kind: 'rain-chance' }>,
    progress: (share: number) => void,
  ): Promise<Sample[]> {
    const product = widestFirst(this.store).find((one) => cellOf(one, { lat, lng }))
    if (!product) throw outside()
    const cell = cellOf(product, { lat, lng })!
    const index = cell.row * product.steps + cell.col
    const threshold = (NOWCAST_CHANCES_MM_H as readonly number[]).indexOf(aboveMmH)
    const samples: Sample[] = []
    const rows = await this.rowsOf(product)
    for (const [k, row] of rows.entries()) {
      progress(k / rows.length)
      const timeMs = row.issued.getTime()
      if (row.reason !== null) samples.push({ timeMs, value: row.reason === 'dry' ? 0 : null })
      else if (row.members > 0) {
        const leads = row.leads.flatMap((lead, at) => (lead <= withinMin ? [at] : []))
        samples.push({ timeMs, ...(await this.largest(product, row, leads, threshold, index)) })
      }
    }
    return samples
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
