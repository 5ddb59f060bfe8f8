import type { ProductComparison as Answer } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { ProductComparison } from '@radx/rainfall/product-comparison'
import { sql } from 'kysely'
import { productOf } from '../http/rain-requests.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'
import type { Store } from '../store/open-store.ts'
import type { AnswerKind } from '../threads/answers.ts'

const HOUR_MS = 3_600_000

interface ComparisonInput {
  product: string
  source: string
  span: Span
}

/** A product that was made of kept volumes against the one whose volumes they are, hour by hour, as the JSON that is sent. */
export const productComparisonAnswer: AnswerKind<ComparisonInput, { body: Uint8Array }> = {
  name: 'product-comparison',
  async run({ store }, input) {
    const answer = await compareProducts(store, input)
    return { body: new TextEncoder().encode(JSON.stringify(answer)) }
  },
}

export async function compareProducts(
  store: Store,
  { product, source, span }: ComparisonInput,
): Promise<Answer> {
  const [made, old] = [productOf(store, { p: product }), productOf(store, { p: source })]
  const { pairs, onlyOld } = await pairsOf(store, old, made, span)
  const whole = new ProductComparison()
  const hours: Answer['hours'] = []
  for (const [hourMs, ofHour] of Map.groupBy(
    pairs,
    ({ old }) => Math.floor(old.timeMs / HOUR_MS) * HOUR_MS,
  )) {
    const comparison = await compare(store, old, made, ofHour)
    whole.include(comparison)
    hours.push({ hour: isoSeconds(hourMs), ...comparison.result() })
  }
  const { startMs, endMs } = span
  const period = { start: isoSeconds(startMs), end: isoSeconds(endMs) }
  return { product, source, ...period, onlyOld, whole: whole.result(), hours }
}

interface Pair {
  old: FramePlace
  made: FramePlace
}

async function compare(
  { index }: Store,
  old: StoredProduct,
  made: StoredProduct,
  pairs: readonly Pair[],
): Promise<ProductComparison> {
  const comparison = new ProductComparison()
  const cells = old.steps ** 2
  const others = index.codes(
    made,
    pairs.map((pair) => pair.made),
  )
  for await (const codes of index.codes(
    old,
    pairs.map((pair) => pair.old),
  ))
    comparison.add(codes, (await others.next()).value ?? null, cells)
  return comparison
}

/** Frames of both that were made of the same volume, in time order. */
async function pairsOf(
  store: Store,
  old: StoredProduct,
  made: StoredProduct,
  span: Span,
): Promise<{ pairs: Pair[]; onlyOld: number }> {
  const { rows } = await sql<{ old: number; made: number }>`
    select (extract(epoch from o.time) * 1000)::bigint as old, (extract(epoch from m.time) * 1000)::bigint as made
    from radar_frame o join radar_frame m on m.source = o.source and m.product_id = ${made.id}
    where o.product_id = ${old.id} and o.time >= ${new Date(span.startMs)} and o.time < ${new Date(span.endMs)}
    order by o.time`.execute(store.context.db)
  const places = await store.index.places(old, span)
  if (rows.length === 0) return { pairs: [], onlyOld: places.length }
  // By other settings the lowest sweep, whose begin is the frame's instant, may be another one.
  const instants = rows.map((row) => row.made)
  const madeSpan = { startMs: Math.min(...instants), endMs: Math.max(...instants) + 1 }
  const byTime = (found: FramePlace[]) => new Map(found.map((place) => [place.timeMs, place]))
  const [ofOld, ofMade] = [byTime(places), byTime(await store.index.places(made, madeSpan))]
  const pairs = rows.flatMap((row) => {
    const [one, other] = [ofOld.get(row.old), ofMade.get(row.made)]
    return one && other ? [{ old: one, made: other }] : []
  })
  return { pairs, onlyOld: places.length - pairs.length }
}
