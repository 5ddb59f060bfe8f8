/** Entry of the thread that makes the demonstration's catchment. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { demoCatchment } from '@radx/demo/catchment/package'
import { beNice, NICE } from '../threads/nice.ts'
import { toWireError } from '../threads/worker-pool.ts'

export interface CatchmentTask {
  /** Where its package goes. */
  folder: string
}

beNice(NICE.jobs)

parentPort!.on('message', async ({ id, message }: { id: number; message: CatchmentTask }) => {
  try {
    for (const [name, text] of demoCatchment()) await writeFile(join(message.folder, name), text)
    parentPort!.postMessage({ id, result: null })
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
