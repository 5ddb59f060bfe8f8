// Trials of a calibration, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { RadxError } from '@radx/contracts/errors'
import { type EventSetup, simulateEvent } from './trial.ts'
import type { TrialAnswer, TrialOrder } from './trial-threads.ts'

const events = workerData as readonly EventSetup[]

parentPort!.on('message', ({ event, values }: TrialOrder) => {
  let answer: TrialAnswer
  try {
    answer = { ok: true, simulated: simulateEvent(events[event], values) }
  } catch (error) {
    if (!(error instanceof RadxError)) throw error
    answer = { ok: false, message: error.message }
  }
  parentPort!.postMessage(answer)
})
