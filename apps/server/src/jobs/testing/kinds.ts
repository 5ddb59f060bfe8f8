/** Small kinds of jobs for the tests of the queue. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { RadxError } from '@radx/contracts'
import type { JobKind } from '../kind.ts'

const base = { perUser: 50, timeoutSeconds: 60, memoryMb: 64, visibility: 'owner' as const }

const count: JobKind<{ steps: number; stepMs: number }> = {
  ...base,
  name: 'count',
  async run({ input, progress, log, outDir, signal, attempt }) {
    await writeFile(join(outDir, 'partial.txt'), `try ${attempt}`)
    for (let i = 1; i <= input.steps; i++) {
      await sleep(input.stepMs, undefined, { signal })
      progress(i, input.steps, `Étape ${i} sur ${input.steps}`)
    }
    log(`compté jusqu'à ${input.steps}`)
    await writeFile(join(outDir, 'result.txt'), String(input.steps))
    return { counted: input.steps }
  },
}
const refuse: JobKind = {
  ...base,
  name: 'refuse',
  run: async () => {
    throw new RadxError('rain.range', 422, 'Valeur refusée : pluie négative.')
  },
}
/** Fails for an unknown reason on its first tries. */
const flaky: JobKind<{ failures: number }> = {
  ...base,
  name: 'flaky',
  async run({ attempt, input }) {
    if (attempt <= input.failures) throw new Error(`the disk went away, try ${attempt}`)
    return { attempt }
  },
}
const greedy: JobKind = {
  ...base,
  name: 'greedy',
  async run() {
    const held: number[][] = []
    for (;;) held.push(new Array(1_000_000).fill(held.length))
  },
}
/** Never looks at its signal. */
const deaf: JobKind = {
  ...base,
  name: 'deaf',
  async run() {
    for (;;) await sleep(100)
  },
}
const slow: JobKind = {
  ...base,
  name: 'slow',
  timeoutSeconds: 1,
  run: () => new Promise((resolve) => setTimeout(resolve, 20_000)),
}
/** Fills the disk half-way through. */
const full: JobKind = {
  ...base,
  name: 'full',
  async run({ outDir }) {
    await writeFile(join(outDir, 'partial.txt'), 'half')
    await writeFile('/dev/full', 'the other half')
  },
}
/** Takes longer than a few of them take to be asked for. */
const shared: JobKind = {
  ...base,
  name: 'shared',
  perUser: 2,
  visibility: 'signed-in',
  run: async ({ signal }) => sleep(30_000, undefined, { signal }),
}

let worked = 0
/** Counts the jobs of its thread. */
const stays: JobKind<{ fails?: boolean }> = {
  ...base,
  name: 'stays',
  perUser: 100,
  staysSeconds: 20,
  async run({ input, signal }) {
    if (input.fails) throw new RadxError('rain.range', 422, 'Valeur refusée : pluie négative.')
    await sleep(20, undefined, { signal })
    worked++
    return { thread: threadId, worked }
  },
}

export const jobKinds = [count, refuse, flaky, greedy, deaf, slow, full, shared, stays] as JobKind[]
