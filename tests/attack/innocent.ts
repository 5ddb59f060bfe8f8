import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** A thread that asks for a page over and over, so that who measures is not slowed by who attacks. */
export interface InnocentData {
  url: string
  pauseMs: number
}
export interface InnocentReport {
  /** What each call took, ms. */
  times: number[]
  failed: number
}

const { url, pauseMs } = workerData as InnocentData
const report: InnocentReport = { times: [], failed: 0 }
let stopped = false
parentPort!.once('message', () => {
  stopped = true
})
// What the first call loads is no figure of who answers.
await fetch(url)
  .then((answer) => answer.arrayBuffer())
  .catch(() => undefined)
parentPort!.postMessage('ready')
while (!stopped) {
  const begin = performance.now()
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => null)
  await answer?.arrayBuffer().catch(() => undefined)
  if (!answer?.ok) report.failed++
  report.times.push(performance.now() - begin)
  await sleep(pauseMs)
}
parentPort!.postMessage(report)
