import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A program under test; killed when the test ends, whatever happened. */
export interface TestProcess {
  child: ChildProcess
  /** Lines of standard output and standard error so far. */
  lines: string[]
  /** Resolves to the first line that holds the text. @throws when the program ends before */
  sees(text: string): Promise<string>
  /** Exit code, or the signal's name. */
  exit: Promise<number | string>
}

/** Runs `node args` with the pinned Node. */
export const runNode = (args: string[], env: Record<string, string> = {}): TestProcess =>
  run(process.execPath, args, env)

/** Runs a program in the folder where the tests were begun. */
export function run(command: string, args: string[], env: Record<string, string> = {}): TestProcess {
  const child = spawn(command, args, {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream! }).on('line', (line) => lines.push(line))
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal)
  let ended = false
  void exit.then(() => {
    ended = true
  })
  const sees = async (text: string) => {
    for (;;) {
      const line = lines.find((l) => l.includes(text))
      if (line !== undefined) return line
      if (ended) throw new Error(`« ${text} » never came; the program said:\n${lines.join('\n')}`)
      await sleep(20)
    }
  }
  return { child, lines, sees, exit }
}

/** Waits until a condition holds. @throws after the time, saying what was waited for */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 120_000,
): Promise<void> {
  const end = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await sleep(25)
  }
}
