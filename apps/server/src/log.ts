import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { printable } from './printable.ts'

export type { Logger }

// What must never reach a log line, wherever a caller puts it.
const SECRETS = [
  'authorization',
  'password',
  'token',
  'cookie',
  'databaseUrl',
  '*.authorization',
  '*.password',
  '*.token',
  '*.cookie',
  '*.databaseUrl',
  'req.headers.authorization',
  'req.headers.cookie',
]

/**
 * Structured log: JSON lines on standard output (1) or, for commands whose output is data, standard error (2).
 * In a terminal the lines are made for a person.
 */
export function createLogger(level: string, stream: 1 | 2 = 1): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[masqué]' },
    },
    isatty(stream) ? { write: (line: string) => writeToTerminal(stream, line) } : toPipe(stream),
  )
}

/** `09:41:02 message clé=valeur`, with the level when it matters and the stack of an error below. */
export function readable(line: string): string {
  const { level, time, msg, err, reqId: _reqId, ...rest } = JSON.parse(line)
  const mark = level === 'info' || level === 'debug' ? '' : `${level.toUpperCase()} `
  const facts = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const at = new Date(time).toLocaleTimeString('fr-FR')
  return `${at} ${mark}${printable(msg ?? '')}${facts.join('')}\n${err?.stack ? `${err.stack}\n` : ''}`
}

function toPipe(fd: number) {
  // Synchronous, so that the last lines before an exit are never lost.
  const pipe = pino.destination({ dest: fd, sync: true })
  pipe.on('error', ignoreClosed)
  return pipe
}

function writeToTerminal(fd: number, line: string): void {
  try {
    writeSync(fd, readable(line))
  } catch (error) {
    ignoreClosed(error)
  }
}

/** A reader that went away must not stop the program in the middle of its own end. */
function ignoreClosed(_error: unknown): void {}
