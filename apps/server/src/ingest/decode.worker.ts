import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { SiteGauge, SitePolarimetry, SiteProduct, SiteStation } from '@radx/contracts'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import { readRainbowVolume } from '@radx/formats/rainbow5/volume'
import { type FileReadings, gaugesOfFile, readGaugeFile } from '../gauges/api.ts'
import { readStationTable, type StationReadings } from '../station/api.ts'
import type { StoredZone } from '../store/catalog.ts'
import { type PreparedFrame, prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { beNice, NICE } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'
import { FrameDecoder, type FrameKind } from './frame-decoder.ts'
import type { SeenMelting } from './melting-at.ts'
import type { KnownRadar } from './volume-rain.ts'

export interface DecodeWorkerData {
  products: SiteProduct[]
  zones: StoredZone[]
  radar: KnownRadar
  station: SiteStation | null
  gauges: SiteGauge[]
  hdf5: Hdf5Limits
  polarimetry: SitePolarimetry
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
      /** The other files of its volume. */
      others?: { name: string; path: string }[]
      /** Files of the volume are missing. */
      isPartial?: boolean
      /** What other instruments saw of the melting layer. */
      melting?: readonly SeenMelting[]
    }
  /** Whether a file of a volume by moment can be read. */
  | { task: 'moment'; path: string }
  | { task: 'station'; path: string }
  | { task: 'gauge'; path: string; name: string }

/** A frame with what was found in its file, and of which other files it was made. */
export interface DecodedFrameFile extends PreparedFrame {
  /** What was recognised, in French. */
  notes: string[]
  /** Names of other files of its volume that could not be read. */
  damaged: string[]
  /** It rains, and nobody told where snow melts. */
  lacksMelting: boolean
  /** Other files that it was made of. */
  parts: { name: string; hash: Uint8Array }[]
}

export interface DecodedFile<T> {
  hash: Uint8Array
  bytes: number
  result: T
}

const data = workerData as DecodeWorkerData
const decoder = new FrameDecoder(data.products, data.radar, data.polarimetry, data.hdf5)
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
): Promise<DecodedFrameFile> {
  const others = await Promise.all(
    (task.others ?? []).map(async ({ name, path }) => {
      const bytes = await readFile(path)
      return { name, bytes, hash: createHash('sha256').update(bytes).digest() }
    }),
  )
  const {
    product,
    codes,
    quality,
    notes = [],
    damaged = [],
    melting = null,
    lacksMelting = false,
    ...about
  } = await decoder.decode(bytes, { ...task, others })
  const frame = prepareFrame(codes, weightsOf(product), { product: product.shortName, ...about }, quality)
  if (frame.quality) frame.quality.melting = melting
  const parts = others.filter(({ name }) => !damaged.includes(name)).map(({ name, hash }) => ({ name, hash }))
  return { ...frame, notes, damaged, lacksMelting, parts }
}

function decode(
  message: DecodeTask,
  bytes: Buffer,
): Promise<DecodedFrameFile> | StationReadings | FileReadings[] | null {
  if (message.task === 'frame') return decodeFrame(message, bytes)
  if (message.task === 'moment') {
    readRainbowVolume(bytes)
    return null
  }
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
