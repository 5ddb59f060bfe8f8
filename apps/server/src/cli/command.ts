import { RadxError } from '@radx/contracts'

/** A command of the `radx` program. It resolves to the exit code. */
export interface Command {
  /** One line for the list of commands, in French. */
  summary: string
  run(args: string[]): Promise<number>
}

/** Exit codes, as in BSD's sysexits. */
export const EXIT = { ok: 0, failed: 1, usage: 64, internal: 70, interrupted: 130 } as const

/** The command line itself is wrong. */
export class UsageError extends RadxError {
  override readonly name: string = 'UsageError'
  constructor(messageFr: string) {
    super('cli.usage', 400, messageFr)
  }
}
