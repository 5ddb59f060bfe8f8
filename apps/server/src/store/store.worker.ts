import { parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import type { RainFrame } from '@radx/motion/field'
import { decodeRates } from '@radx/rainfall'
import { beNice } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'
import { StoreCorruptError } from './frame-codec.ts'
import { FrameReader } from './frame-reader.ts'
import { motionKernel } from './motion-kernel.ts'
import { type MovedFrame, movedFrames } from './moved/moved-frame.ts'
import { openFrameStore, type StorePlace } from './open-frame-store.ts'
import { type DerivedFrame, deriveFrame } from './prepared-frame.ts'
import type { Blanks, StoreTask } from './store-threads.ts'
import { buildTileFile } from './tile-file.ts'
import { zoneWeights } from './zone-weights.ts'

const store = openFrameStore(workerData as StorePlace)

beNice(5)

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
  const load = async (from: number, to: number) => {
    const frames: (Uint16Array | null)[] = []
    for await (const codes of reader.codes(product, places.slice(from, to))) frames.push(codes)
    return frames
  }
  const times = places.map(({ timeMs }) => timeMs)
  const parts = await buildTileFile(times, product.steps, load)
  await store.put(file, parts)
  return crc32(parts[0]) >>> 0
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
