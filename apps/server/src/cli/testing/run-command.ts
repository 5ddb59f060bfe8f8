import { onTestFinished, vi } from 'vitest'
import { main } from '../main.ts'

/** What a command line answered. */
export interface CommandOutcome {
  exit: number
  /** Lines of both channels, in the order in which they came. */
  text: string
  out: string
  err: string
}

/** Runs a command line in the process of a test and catches what it prints. */
export async function runCommand(...args: string[]): Promise<CommandOutcome> {
  const lines: Record<'log' | 'error', string[]> = { log: [], error: [] }
  const text: string[] = []
  for (const channel of ['log', 'error'] as const) {
    const spy = vi.spyOn(console, channel).mockImplementation((...parts) => {
      lines[channel].push(parts.join(' '))
      text.push(parts.join(' '))
    })
    onTestFinished(() => spy.mockRestore())
  }
  const exit = await main(args)
  return { exit, text: text.join('\n'), out: lines.log.join('\n'), err: lines.error.join('\n') }
}
