import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { SEWER_DRY, SEWER_FULL, type SewerMoments } from '@radx/contracts'
import { SWMM_OUT_TAIL, type SwmmOutLayout, swmmOutLayout } from '@radx/formats/swmm-out-read'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'

/** Codes given out at most: of a long run on a large network not every interval is told. */
const MOST_CODES = 12_000_000
/** Head of a file: names and properties of some hundred thousand elements. */
const MOST_HEAD = 64_000_000
/** Depth over full depth from which on a pipe counts as full: states are f32, and a slot stands open above the crown. */
const FULL = 0.9999
const DAY_S = 86_400
/** Places in the values of a node and of a link. */
const [FLOODING, DEPTH, VELOCITY] = [5, 1, 2]
/** Smaller overflow is rounding, l/s. */
const LEAST_LS = 1e-3

/** The network of a run over time: what is told of it, and how its file is read. */
export interface SewerOverTime {
  index: SewerMoments
  layout: SwmmOutLayout
  /** Every so many intervals. */
  every: number
}

/**
 * Moments of the network's file, evenly taken where all of them would be too many.
 * @throws OutputMissing without a network, and for a damaged file
 */
export async function readSewerIndex(dir: string): Promise<SewerMoments> {
  return withFile(dir, async (file) => (await overTime(file)).index)
}

/**
 * Codes of every moment of `readSewerIndex`, `[moment][links, then nodes]`: filling of the links in percent of their full
 * depth, `SEWER_FULL` where one runs full, `SEWER_DRY` where one has no section; what comes out of the nodes, l/s, no more
 * than a code holds.
 */
export async function readSewerCodes(dir: string): Promise<Uint8Array> {
  return withFile(dir, async (file) => {
    const { index, layout, every } = await overTime(file)
    const [links, nodes] = [index.links.length, index.nodes.length]
    const codes = new Uint8Array(index.timesS.length * (links + nodes))
    for (let m = 0; m < index.timesS.length; m++) {
      const period = await bytesAt(file, periodAt(layout, m * every), layout.periodBytes)
      const view = new DataView(period.buffer, period.byteOffset, period.byteLength)
      const at = m * (links + nodes)
      for (let k = 0; k < links; k++) {
        const depth = view.getFloat32(layout.linksAt + 4 * (k * layout.perLink + DEPTH), true)
        codes[at + k] = fillingCode(depth, layout.linkFullDepths[k])
      }
      for (let k = 0; k < nodes; k++) {
        const litres = 1000 * view.getFloat32(layout.nodesAt + 4 * (k * layout.perNode + FLOODING), true)
        codes[at + links + k] = litres > LEAST_LS ? Math.min(255, Math.ceil(litres)) : 0
      }
    }
    return codes
  })
}

/**
 * Speeds in links at the ends of some intervals, either way, m/s, `[interval][link]`.
 * @param of how many intervals the run has
 * @returns null where the run has no such file, or one of other intervals or links
 */
export async function readLinkSpeeds(
  dir: string,
  names: readonly string[],
  intervals: readonly number[],
  of: number,
): Promise<number[][] | null> {
  return withFile(dir, async (file) => {
    const { index, layout } = await overTime(file)
    const places = new Map(index.links.map((name, k) => [name, k]))
    const links = names.map((name) => places.get(name) ?? -1)
    if (layout.periods !== of || links.includes(-1)) return null
    const speeds: number[][] = []
    for (const interval of intervals) {
      const period = await bytesAt(file, periodAt(layout, interval), layout.periodBytes)
      const at = (link: number) => layout.linksAt + 4 * (link * layout.perLink + VELOCITY)
      speeds.push(links.map((link) => Math.abs(period.readFloatLE(at(link)))))
    }
    return speeds
  }).catch((error: unknown) => {
    if (error instanceof OutputMissing) return null
    throw error
  })
}

function fillingCode(depth: number, full: number): number {
  if (!(full > 0)) return SEWER_DRY
  const share = depth / full
  return share >= FULL ? SEWER_FULL : Math.max(0, Math.min(SEWER_FULL - 1, Math.floor(100 * share)))
}

async function overTime(file: FileHandle): Promise<SewerOverTime> {
  const { size } = await file.stat()
  const tail = await bytesAt(file, size - SWMM_OUT_TAIL, SWMM_OUT_TAIL)
  const resultsAt = tail.readInt32LE(8)
  if (!(resultsAt > 0 && resultsAt <= Math.min(size, MOST_HEAD)))
    throw new OutputMissing(OUTPUT.networkResults)
  const layout = swmmOutLayout(await bytesAt(file, 0, resultsAt), tail, size, OUTPUT.networkResults)
  const { linkNames: links, nodeNames: nodes, periods } = layout
  const every = Math.max(1, Math.ceil((periods * (links.length + nodes.length)) / MOST_CODES))
  const timesS: number[] = []
  for (let p = 0; p < periods; p += every) {
    const date = (await bytesAt(file, periodAt(layout, p), 8)).readDoubleLE()
    timesS.push(Math.round((date - layout.startDate) * DAY_S))
  }
  return { index: { timesS, links, nodes }, layout, every }
}

const periodAt = ({ resultsAt, periodBytes }: SwmmOutLayout, period: number): number =>
  resultsAt + period * periodBytes

async function withFile<T>(dir: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const missing = () => new OutputMissing(OUTPUT.networkResults)
  const file = await open(join(dir, OUTPUT.networkResults)).catch(() => {
    throw missing()
  })
  try {
    return await read(file)
  } catch {
    throw missing()
  } finally {
    await file.close()
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, Math.max(0, position))
  if (bytesRead !== length) throw new OutputMissing(OUTPUT.networkResults)
  return bytes
}
