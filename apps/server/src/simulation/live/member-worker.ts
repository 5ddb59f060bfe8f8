// Members of a forecast, one after the other: the engine is put together once.
import { parentPort, workerData } from 'node:worker_threads'
import { RadxError } from '@radx/contracts/errors'
import { LiveEngine } from './engine.ts'
import type { MemberAnswer, MemberThread } from './members.ts'
import { type RainData, rainOf } from './rain-data.ts'

const { setup, state, horizon } = workerData as MemberThread
let engine: LiveEngine | undefined

function answer(rain: RainData): MemberAnswer {
  try {
    engine ??= new LiveEngine(setup)
    return { ok: true, course: engine.member(state, rainOf(rain), horizon) }
  } catch (error) {
    if (!(error instanceof RadxError)) throw error
    const { code, status, message, details } = error
    return { ok: false, error: { code, status, message, details } }
  }
}

parentPort!.on('message', (rain: RainData) => {
  const said = answer(rain)
  const moved = said.ok ? said.course.depthsMm.map(({ buffer }) => buffer as ArrayBuffer) : []
  parentPort!.postMessage(said, moved)
})
