import { RATE_NO_DATA, representativeness } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'
import type { Store } from '../store/open-store.ts'

/** Times are halves of milliseconds, so that sums are whole numbers and taking a frame out leaves nothing of it. */
const UNITS_PER_SECOND = 2000
const CODES_PER_MM = 100 * 3600 * UNITS_PER_SECOND
/** Less is rounding and not data, as in `Accumulation`. */
const LEAST_UNITS = UNITS_PER_SECOND / 2

/** Frames added up: each with the time that it stands for. */
interface Sums {
  span: Span
  /** Units of time by frame. */
  frames: Map<string, { place: FramePlace; units: number }>
  /** Code x units, and units without data, of each cell. */
  sum: Float64Array
  missing: Float64Array
  total: number
}

/**
 * Depths of the windows that were asked for last, a product each. A window that moved on reads only the frames that came
 * into it and those that left it; what it then holds is the same, bit by bit, as if it had been read anew.
 */
export class KeptDepths {
  private readonly most: number
  private readonly kept = new Map<string, Sums>()

  /** @param most products to keep: two numbers a cell */
  constructor(most = 2) {
    this.most = most
  }

  /** mm of every cell over a span, `[row * steps + col]`, row 0 north; NaN where no frame had data. */
  async of({ index }: Pick<Store, 'index'>, product: StoredProduct, span: Span): Promise<Float64Array> {
    const key = `${product.id} ${product.steps}`
    const before = this.kept.get(key)
    // Who asks meanwhile begins anew, and so does the next one after an error.
    this.kept.delete(key)
    const isNear = before !== undefined && sharedShare(before.span, span) > 0.5
    const reach = isNear ? joined(before.span, span) : span
    const around = await index.places(product, reach)
    const wanted = unitsOf(around, product, span)
    const start = isNear && isSound(before, around) ? before : emptySums(product.steps ** 2)
    await move(index, product, start, wanted)
    start.span = span
    this.kept.set(key, start)
    if (this.kept.size > this.most) this.kept.delete(this.kept.keys().next().value!)
    return depthOf(start)
  }
}

const emptySums = (cells: number): Sums => ({
  span: { startMs: 0, endMs: 0 },
  frames: new Map(),
  sum: new Float64Array(cells),
  missing: new Float64Array(cells),
  total: 0,
})

const joined = (a: Span, b: Span): Span => ({
  startMs: Math.min(a.startMs, b.startMs),
  endMs: Math.max(a.endMs, b.endMs),
})

/** Share of the time of two spans together that both have. */
function sharedShare(a: Span, b: Span): number {
  const both = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs)
  const { startMs, endMs } = joined(a, b)
  return endMs > startMs ? both / (endMs - startMs) : 0
}

const keyOf = ({ timeMs, blankId, pack, classes }: FramePlace): string =>
  `${timeMs} ${blankId} ${pack?.offset} ${pack?.length} ${classes?.crc}`

/** The frames of a span, with the time that each stands for. */
function unitsOf(around: readonly FramePlace[], product: StoredProduct, span: Span): Sums['frames'] {
  const within = around.filter(({ timeMs }) => timeMs >= span.startMs && timeMs < span.endMs)
  const { seconds } = representativeness(
    within.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  return new Map(
    within.map((place, i) => [keyOf(place), { place, units: Math.round(seconds[i] * UNITS_PER_SECOND) }]),
  )
}

/** Whether all that was added up still lies where it lay: only then it can be taken out again. */
function isSound({ frames }: Sums, around: readonly FramePlace[]): boolean {
  const there = new Set(around.map(keyOf))
  return [...frames.keys()].every((key) => there.has(key))
}

/** Makes sums those of the wanted frames. */
async function move(
  index: Store['index'],
  product: StoredProduct,
  sums: Sums,
  wanted: Sums['frames'],
): Promise<void> {
  const changes: { place: FramePlace; units: number }[] = []
  for (const [key, { place, units }] of sums.frames) {
    const more = (wanted.get(key)?.units ?? 0) - units
    if (more !== 0) changes.push({ place, units: more })
  }
  for (const [key, { place, units }] of wanted)
    if (!sums.frames.has(key) && units !== 0) changes.push({ place, units })
  changes.sort((a, b) => a.place.timeMs - b.place.timeMs)
  let k = 0
  for await (const codes of index.codes(
    product,
    changes.map(({ place }) => place),
  )) {
    const { units } = changes[k++]
    sums.total += units
    if (codes !== null) addCodes(sums, codes, units)
  }
  sums.frames = wanted
}

function addCodes({ sum, missing }: Sums, codes: Uint16Array, units: number): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    if (code === 0) continue
    if (code === RATE_NO_DATA) missing[i] += units
    else sum[i] += code * units
  }
}

function depthOf({ sum, missing, total }: Sums): Float64Array {
  const least = Math.min(LEAST_UNITS, total / 2)
  return sum.map((codes, i) => (total - missing[i] > least ? codes / CODES_PER_MM : Number.NaN))
}
