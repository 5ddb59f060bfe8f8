import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Site } from '@radx/contracts'
import { type Anchor, Demo, type DemoFile, VOLUME_PRODUCT } from '@radx/demo'
import { beNice } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'

export interface DemoWorkerData {
  site: Site
  /** How far this thread stands back behind the others, 0 to 19. */
  nice: number
  anchor?: Anchor
}

/** What to write: a frame, a station table, a file of gauges, a micro rain radar file or the files of a polar volume. */
export type DemoItem =
  | { kind: 'radar'; product: string; instantMs: number }
  | { kind: 'station'; startMs: number; lengthMs: number }
  | { kind: 'gauges'; files: string; startMs: number; lengthMs: number }
  | { kind: 'mrr'; startMs: number }
  | { kind: 'volume'; instantMs: number }

export interface DemoTask {
  item: DemoItem
  folder: string
}

const { site, nice, anchor } = workerData as DemoWorkerData
const demo = new Demo(site, { anchor })
beNice(nice)

async function make(item: DemoItem): Promise<DemoFile[]> {
  if (item.kind === 'radar') return [demo.radarFile(item.product, item.instantMs)]
  if (item.kind === 'station') return [demo.stationFile(item.startMs, item.lengthMs)]
  if (item.kind === 'gauges') return [demo.gaugeFile(item.files, item.startMs, item.lengthMs)]
  if (item.kind === 'volume') return demo.volumeFiles(item.instantMs)
  return [await demo.microRainRadarFile(item.startMs)]
}

/** Writes an item. @returns its files, from the folder on */
async function write({ item, folder }: DemoTask): Promise<string[]> {
  // The folder names the product of a volume.
  const drop = item.kind === 'volume' ? VOLUME_PRODUCT : ''
  if (drop) await mkdir(join(folder, drop), { recursive: true })
  const names: string[] = []
  for (const { name, bytes } of await make(item)) {
    const part = join(folder, drop, `.${name}.part`)
    await writeFile(part, bytes)
    await rename(part, join(folder, drop, name))
    names.push(join(drop, name))
  }
  return names
}

parentPort!.on('message', async ({ id, message }: { id: number; message: DemoTask }) => {
  try {
    parentPort!.postMessage({ id, result: await write(message) })
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
