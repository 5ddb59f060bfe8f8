import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { InnocentData, InnocentReport } from './innocent.ts'
import { type Program, type ProgramOptions, startProgram } from './program.ts'

export interface AttackContext {
  /** A program that the cases share: leave it usable. */
  program: Program
  /** Another one, for what needs settings of its own; stopped when the case ends. */
  start(options?: ProgramOptions): Promise<Program>
  /** The long form of `npm run attack`; else a form of a few seconds. */
  long: boolean
}

export interface AttackResult {
  /** What was sent, in a few words. */
  load: string
  /** Worst latency of an innocent call meanwhile, ms; null where none was timed. */
  worstMs: number | null
  /** What came of it, in a few words. */
  outcome: string
  /** What did not hold, one sentence each; empty when the attack failed. */
  wrong: string[]
}

/** One attack from outside. Its name says what must hold. */
export interface AttackCase {
  name: string
  run(context: AttackContext): Promise<AttackResult>
}

/** A case with what it cost the program. */
export interface AttackReport extends AttackResult {
  name: string
  memoryMb: number
}

const SAMPLE_MS = 50

/** Runs a case; that the program ended or no longer answers counts as wrong, whatever the case looked at. */
export async function runCase(attack: AttackCase, program: Program, long: boolean): Promise<AttackReport> {
  const own: Program[] = []
  let memoryMb = program.memoryMb()
  const sampler = setInterval(() => {
    memoryMb = Math.max(memoryMb, program.memoryMb(), ...own.map((p) => p.memoryMb()))
  }, SAMPLE_MS)
  const start = async (options?: ProgramOptions) => {
    const started = await startProgram(options)
    own.push(started)
    return started
  }
  try {
    const result = await attack.run({ program, start, long })
    const wrong = [...result.wrong]
    if (!program.alive()) wrong.push(`the program ended:\n${program.log().slice(-2_000)}`)
    else if (!(await answers(program))) wrong.push('the program no longer answers')
    return { ...result, wrong, name: attack.name, memoryMb }
  } finally {
    clearInterval(sampler)
    for (const p of own) await p.stop()
  }
}

/** Whether it answers, within half a minute. */
const answers = (program: Program): Promise<boolean> =>
  fetch(`${program.url}/healthz`, { signal: AbortSignal.timeout(30_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

export interface Watch {
  /** Ends the watch: what the innocent call took, ms, and how often it failed. */
  stop(): Promise<{ p50: number; p95: number; p99: number; worst: number; failed: number; calls: number }>
}

/** Asks for a path over and over from a thread of its own, as an innocent visitor does, once it resolves. */
export async function watch(program: Program, path = '/healthz', pauseMs = 50): Promise<Watch> {
  const workerData: InnocentData = { url: program.url + path, pauseMs }
  const thread = new Worker(new URL('./innocent.ts', import.meta.url), { workerData })
  await once(thread, 'message')
  const reported = once(thread, 'message') as Promise<[InnocentReport]>
  const figures = async () => {
    thread.postMessage('stop')
    const [{ times, failed }] = await reported
    await thread.terminate()
    const sorted = times.sort((a, b) => a - b)
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1), failed, calls: sorted.length }
  }
  let stopping: ReturnType<typeof figures> | null = null
  return {
    stop: () => {
      stopping ??= figures()
      return stopping
    },
  }
}

/** How often each status came, as `{ 200: 3, 429: 17 }`; what got no answer counts as 0. */
export function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const told = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} x ${status === '0' ? 'cut' : status}`)
    .join(', ')
