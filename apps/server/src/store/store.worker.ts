import { parentPort, workerData } from 'node:worker_threads'
import type { RainFrame } from '@radx/motion/field'
import { decodeRates } from '@radx/rainfall'
import { beNice, NICE } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'
import { StoreCorruptError } from './frame-codec.ts'
import { FrameReader } from './frame-reader.ts'
import { motionKernel } from './motion-kernel.ts'
import { type MovedFrame, movedFrames } from './moved/moved-frame.ts'
import { codesOfTiles } from './moved/moved-tiles.ts'
import { openFrameStore, type StorePlace } from './open-frame-store.ts'
import { type DerivedFrame, deriveFrame } from './prepared-frame.ts'
import type { Blanks, StoreTask } from './store-threads.ts'
import { cutBlocks, tileFileOf } from './tile-file.ts'
import { zoneWeights } from './zone-weights.ts'

const store = openFrameStore(workerData as StorePlace)

beNice(NICE.derived)

const readerOf = (blanks: Blanks) =>
  new FrameReader(store, async (id) => {
    const blank = blanks.get(id)
    if (!blank) throw new StoreCorruptError(`image vide n° ${id}`)
    return blank
  })

async function tiles({
  product,
  file,
  places,
  blanks,
}: Extract<StoreTask, { task: 'tiles' }>): Promise<number> {
  const reader = readerOf(blanks)
  const blocks = async (from: number, to: number) => {
    const frames: (Uint16Array | null)[] = []
    for await (const codes of reader.codes(product, places.slice(from, to))) frames.push(codes)
    return cutBlocks(frames, product.steps)
  }
  const times = places.map(({ timeMs }) => timeMs)
  const { parts, headerCheck } = await tileFileOf(times, product.steps, blocks)
  await store.put(file, parts)
  return headerCheck
}

/** Blocks of a tile file of rain as it moved; frames without any stand for themselves. */
async function movedBlocks({
  product,
  places,
  moved,
  blanks,
}: Extract<StoreTask, { task: 'movedBlocks' }>): Promise<(Uint8Array | null)[]> {
  const rows = new Map(moved.map((row) => [row.time.getTime(), row]))
  const still = readerOf(blanks).codes(
    product,
    places.filter(({ timeMs }) => !rows.has(timeMs)),
  )
  const frames: (Uint16Array | null)[] = []
  for (const { timeMs } of places) {
    const row = rows.get(timeMs)
    frames.push(row ? codesOfTiles(row, product.steps) : ((await still.next()).value ?? null))
  }
  return cutBlocks(frames, product.steps)
}

async function derive({
  product,
  zones,
  places,
  blanks,
}: Extract<StoreTask, { task: 'derive' }>): Promise<DerivedFrame[]> {
  const weights = zoneWeights(product, zones)
  const dry = new Uint16Array(product.steps ** 2)
  const derived: DerivedFrame[] = []
  for await (const codes of readerOf(blanks).codes(product, places))
    derived.push(deriveFrame(codes ?? dry, weights))
  return derived
}

async function moved({
  product,
  zones,
  places,
  wanted,
  blanks,
}: Extract<StoreTask, { task: 'moved' }>): Promise<MovedFrame[]> {
  const frames: RainFrame[] = []
  for await (const codes of readerOf(blanks).codes(product, places))
    frames.push({
      timeMs: places[frames.length].timeMs,
      rateMmH: codes ? decodeRates(codes) : new Float32Array(product.steps ** 2),
    })
  return movedFrames(product, zoneWeights(product, zones), frames, new Set(wanted), motionKernel('follow'))
}

function answer(message: StoreTask) {
  if (message.task === 'tiles') return tiles(message)
  if (message.task === 'movedBlocks') return movedBlocks(message)
  return message.task === 'derive' ? derive(message) : moved(message)
}

parentPort!.on('message', async ({ id, message }: { id: number; message: StoreTask }) => {
  try {
    const result = await answer(message)
    parentPort!.postMessage({ id, result })
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
