import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { SiteGauge, SiteProduct, SiteStation } from '@radx/contracts'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import { type FileReadings, gaugesOfFile, readGaugeFile } from '../gauges/api.ts'
import { readStationTable, type StationReadings } from '../station/api.ts'
import type { StoredZone } from '../store/catalog.ts'
import { type PreparedFrame, prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { beNice, NICE } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'
import { type DecoderRadar, FrameDecoder, type FrameKind } from './frame-decoder.ts'

export interface DecodeWorkerData {
  products: SiteProduct[]
  zones: StoredZone[]
  radar: DecoderRadar
  station: SiteStation | null
  gauges: SiteGauge[]
  hdf5: Hdf5Limits
}

export type DecodeTask =
  | {
      task: 'frame'
      kind: FrameKind
      path: string
      name: string
      /** Product that the place or the command names; null when none does. */
      product: string | null
      fallbackProduct: string
    }
  | { task: 'station'; path: string }
  | { task: 'gauge'; path: string; name: string }

export interface DecodedFile<T> {
  hash: Uint8Array
  bytes: number
  result: T
}

const data = workerData as DecodeWorkerData
const decoder = new FrameDecoder(data.products, data.radar, data.hdf5)
const weights = new Map<string, ReturnType<typeof zoneWeights>>()

beNice(NICE.ingest)

function weightsOf(product: SiteProduct) {
  const found = weights.get(product.shortName) ?? zoneWeights(product, data.zones)
  weights.set(product.shortName, found)
  return found
}

async function decodeFrame(
  task: Extract<DecodeTask, { task: 'frame' }>,
  bytes: Buffer,
): Promise<PreparedFrame> {
  const { product, codes, ...about } = await decoder.decode(bytes, task)
  return prepareFrame(codes, weightsOf(product), { product: product.shortName, ...about })
}

function decode(
  message: DecodeTask,
  bytes: Buffer,
): Promise<PreparedFrame> | StationReadings | FileReadings[] {
  if (message.task === 'frame') return decodeFrame(message, bytes)
  if (message.task === 'station') return readStationTable(bytes, data.station, data.gauges)
  return readGaugeFile(bytes, message.name, gaugesOfFile(data.gauges, message.name))
}

parentPort!.on('message', async ({ id, message }: { id: number; message: DecodeTask }) => {
  try {
    const bytes = await readFile(message.path)
    const hash = createHash('sha256').update(bytes).digest()
    const result = await decode(message, bytes)
    const answer: DecodedFile<typeof result> = { hash, bytes: bytes.length, result }
    parentPort!.postMessage({ id, result: answer })
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
