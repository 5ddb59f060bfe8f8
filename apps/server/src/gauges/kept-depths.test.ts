import { Accumulation, RATE_NO_DATA, representativeness } from '@radx/rainfall'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'
import type { Store } from '../store/open-store.ts'
import { KeptDepths } from './kept-depths.ts'

const CELLS = 9
const STEP = 206_001
const product = { id: 1, steps: 3, frameSeconds: 206 } as StoredProduct

/** Frames in memory, read through the calls that a store has. */
function archive() {
  const frames = new Map<number, { codes: Uint16Array | null; pack: number }>()
  const reads: number[] = []
  const index = {
    places: async (_: unknown, { startMs, endMs }: Span) =>
      [...frames]
        .filter(([timeMs]) => timeMs >= startMs && timeMs < endMs)
        .sort(([a], [b]) => a - b)
        .map(([timeMs, { pack }]) => ({
          ...{ timeMs, blankId: null, classesGeneration: 0, classes: null },
          pack: { offset: pack, length: 1 },
        })),
    async *codes(_: unknown, places: FramePlace[]) {
      for (const { timeMs } of places) {
        reads.push(timeMs)
        yield frames.get(timeMs)!.codes
      }
    },
  } as unknown as Store['index']
  return { frames, reads, store: { index } }
}

/** What a frame has: dry all over, or rain and cells without data. */
const frameOf = (k: number) =>
  k % 5 === 0
    ? null
    : Uint16Array.from({ length: CELLS }, (_, i) =>
        i === 8 || (i === 7 && k % 3 === 0) ? RATE_NO_DATA : (k * 977 + i * 313) % 4001,
      )

async function anew({ index }: { index: Store['index'] }, span: Span): Promise<Float32Array> {
  const places = await index.places(product, span)
  const { seconds } = representativeness(
    places.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  const sum = new Accumulation(CELLS)
  let k = 0
  for await (const codes of index.codes(product, places)) {
    if (codes === null) sum.addDry(seconds[k++])
    else sum.add(codes, seconds[k++])
  }
  return sum.result().depthMm
}

const windows = fc.array(
  fc.record({
    from: fc.integer({ min: -3, max: 60 }),
    length: fc.integer({ min: 1, max: 40 }),
    /** Frames that come late, or go. */
    changed: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
)

test('windows one after another have the depths that each has read by itself, whatever comes or goes', async () => {
  await fc.assert(
    fc.asyncProperty(windows, async (asked) => {
      const { frames, store } = archive()
      for (let k = 0; k < 60; k += k % 11 === 0 ? 4 : 1) frames.set(k * STEP, { codes: frameOf(k), pack: k })
      const kept = new KeptDepths()
      for (const { from, length, changed } of asked) {
        for (const k of changed)
          if (!frames.delete(k * STEP)) frames.set(k * STEP, { codes: frameOf(k + 7), pack: 100 + k })
        const span = { startMs: from * STEP - 50_000, endMs: (from + length) * STEP + 1 }
        const [depth, expected] = [await kept.of(store, product, span), await anew(store, span)]
        expect([...depth].map((v) => Math.fround(v))).toEqual([...expected])
        // To the last bit: what left the window left nothing behind.
        expect(depth).toEqual(await new KeptDepths().of(store, product, span))
      }
    }),
    { numRuns: 150 },
  )
})

test('a window that moves on by a frame reads a handful of frames, and none when it stays', async () => {
  const { frames, reads, store } = archive()
  for (let k = 0; k < 300; k++) frames.set(k * STEP, { codes: frameOf(k), pack: k })
  const kept = new KeptDepths()
  const at = (k: number) => ({ startMs: (k - 105) * STEP + 7, endMs: k * STEP + 1 })
  await kept.of(store, product, at(120))
  expect(reads).toHaveLength(105)
  for (let k = 121; k < 160; k++) {
    reads.length = 0
    await kept.of(store, product, at(k))
    expect(reads.length).toBeLessThanOrEqual(6)
  }
  reads.length = 0
  await kept.of(store, product, at(159))
  expect(reads).toEqual([])
})

test('two who ask at once get their own window, and an error is not kept', async () => {
  const { frames, store } = archive()
  for (let k = 0; k < 60; k++) frames.set(k * STEP, { codes: frameOf(k), pack: k })
  const kept = new KeptDepths()
  const [first, second] = [
    { startMs: 0, endMs: 30 * STEP },
    { startMs: 3 * STEP, endMs: 33 * STEP },
  ]
  await kept.of(store, product, first)
  const both = await Promise.all([first, second].map((span) => kept.of(store, product, span)))
  const fails = () => {
    throw new Error('disk')
  }
  const broken = { index: { ...store.index, codes: fails } as unknown as Store['index'] }
  await expect(kept.of(broken, product, { startMs: 9 * STEP, endMs: 36 * STEP })).rejects.toThrow('disk')
  for (const [i, span] of [first, second].entries()) {
    const alone = await new KeptDepths().of(store, product, span)
    expect(both[i]).toEqual(alone)
    expect(await kept.of(store, product, span)).toEqual(alone)
  }
})
