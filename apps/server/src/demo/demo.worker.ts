import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Site } from '@radx/contracts'
import { type Anchor, Demo, type DemoFile } from '@radx/demo'
import { beNice } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'

export interface DemoWorkerData {
  site: Site
  /** How far this thread stands back behind the others, 0 to 19. */
  nice: number
  anchor?: Anchor
}

/** What to write: a frame, a station table, a file of gauges or a micro rain radar file. */
export type DemoItem =
  | { kind: 'radar'; product: string; instantMs: number }
  | { kind: 'station'; startMs: number; lengthMs: number }
  | { kind: 'gauges'; files: string; startMs: number; lengthMs: number }
  | { kind: 'mrr'; startMs: number }

export interface DemoTask {
  item: DemoItem
  folder: string
}

const { site, nice, anchor } = workerData as DemoWorkerData
const demo = new Demo(site, { anchor })
beNice(nice)

function make(item: DemoItem): DemoFile | Promise<DemoFile> {
  if (item.kind === 'radar') return demo.radarFile(item.product, item.instantMs)
  if (item.kind === 'station') return demo.stationFile(item.startMs, item.lengthMs)
  if (item.kind === 'gauges') return demo.gaugeFile(item.files, item.startMs, item.lengthMs)
  return demo.microRainRadarFile(item.startMs)
}

parentPort!.on('message', async ({ id, message }: { id: number; message: DemoTask }) => {
  try {
    const { name, bytes } = await make(message.item)
    const part = join(message.folder, `.${name}.part`)
    await writeFile(part, bytes)
    await rename(part, join(message.folder, name))
    parentPort!.postMessage({ id, result: name })
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
