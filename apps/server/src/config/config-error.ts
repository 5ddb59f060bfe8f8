import { type CodeOf, RadxError } from '@radx/contracts'

/** A setting, a site file or a command line that the program cannot run with. */
export class ConfigError extends RadxError {
  override readonly name: string = 'ConfigError'
  constructor(
    code: CodeOf<'config'>,
    messageFr: string,
    details: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(`config.${code}`, 500, messageFr, { details, cause })
  }
}
