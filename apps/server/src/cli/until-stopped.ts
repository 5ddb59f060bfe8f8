import type { Logger } from '../log.ts'
import { EXIT } from './command.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** What runs until it is told to stop. */
export interface Service {
  /** Finishes what is under way and gives everything back. */
  stop(): Promise<void>
}

/**
 * Starts a service and keeps it until SIGTERM, SIGINT or SIGHUP; a second signal ends at once.
 * @returns the exit code, once everything is stopped
 */
export async function untilStopped(log: Logger, start: () => Promise<Service>): Promise<number> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
  const onSignal = (signal: string) => {
    if (stopping) process.exit(EXIT.interrupted)
    stopping = true
    stop(signal)
  }
  let stopping = false
  for (const signal of SIGNALS) process.on(signal, onSignal)
  // A broken terminal must not leave the database behind.
  process.stdout.on('error', () => undefined)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, "Erreur imprévue : le processus s'arrête")
    process.exit(EXIT.internal)
  })
  // A promise that nobody waited for says nothing about the state of the rest: it is a mistake to mend, no end.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'Erreur que personne n’attendait'))
  const service = await start().catch((error) => {
    // From here on a signal ends the process, whatever the failure left open.
    for (const signal of SIGNALS) process.off(signal, onSignal)
    throw error
  })
  const signal = await stopped
  log.info({ signal }, 'Arrêt demandé')
  await service.stop()
  log.info('Arrêté')
  return EXIT.ok
}

/** Waits for one part of a stop, and goes on without it after the time, saying so. */
export async function within(ms: number, part: string, done: Promise<void>, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ part, ms }, "Arrêt : cette partie ne s'achève pas, la suite s'en passe")
      resolve()
    }, ms)
  })
  const ended = done.catch((err) => log.error({ err, part }, 'Arrêt : cette partie a échoué'))
  await Promise.race([ended, late])
  clearTimeout(timer)
}
