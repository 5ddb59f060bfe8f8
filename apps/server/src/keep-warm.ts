import { setTimeout as sleep } from 'node:timers/promises'
import { firstLookAnswer } from './first-look.ts'
import type { RegisterFeature } from './http/app.ts'
import { answersOf } from './threads/answers.ts'

/** A server that starts has better things to do. */
const START_MS = 45_000

/** Starts a thread of answers before the first of them is asked for, and has it look at a month once. */
export const keepWarm: RegisterFeature = (app, deps) => {
  const answers = answersOf(app, deps)
  const stop = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const look = async () => {
    await sleep(START_MS, undefined, { signal: stop.signal, ref: false })
    await deps.database.whenReady()
    await answers.makeUnasked(firstLookAnswer, null)
  }
  app.addHook('onReady', async () => {
    running = look().catch((err) => {
      // Nobody waits for it: whoever asks first has the thread started then.
      if (!stop.signal.aborted) deps.log.debug({ err }, 'Première lecture d’avance abandonnée')
    })
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
}
