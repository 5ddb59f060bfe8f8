import type { Logger } from '../log.ts'
import { EXIT } from './command.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** A terminal tells all its processes, and npm passes on to its own what it was told: so soon after, it is one signal. */
const SAME_MS = 1_000
/** What would live on without the process gets so long to end. */
const HURRY_MS = 10_000

/** What runs until it is told to stop. */
export interface Service {
  /** Finishes what is under way and gives everything back. */
  stop(): Promise<void>
  /** Ends what would live on without the process, whatever is under way. */
  hurry(): Promise<void>
}

/**
 * Starts a service and keeps it until SIGTERM, SIGINT or SIGHUP. A second signal waits for nothing that is under way, a
 * third one for nothing at all.
 * @returns the exit code, once everything is stopped
 */
export async function untilStopped(log: Logger, start: () => Promise<Service>): Promise<number> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
  let signals = 0
  let toldMs = 0
  let starting: Promise<Service> | null = null
  const hurry = async () => {
    await within(
      HURRY_MS,
      'arrêt immédiat',
      starting?.then((service) => service.hurry()),
      log,
    )
    process.exit(EXIT.interrupted)
  }
  const onSignal = (signal: string) => {
    const now = performance.now()
    if (signals > 0 && now - toldMs < SAME_MS) return
    toldMs = now
    signals++
    if (signals === 1) stop(signal)
    else if (signals === 2) void hurry()
    else process.exit(EXIT.interrupted)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  // A broken terminal must not leave the database behind.
  process.stdout.on('error', () => undefined)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, "Erreur imprévue : le processus s'arrête")
    process.exit(EXIT.internal)
  })
  // A promise that nobody waited for says nothing about the state of the rest: it is a mistake to mend, no end.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'Erreur que personne n’attendait'))
  starting = start()
  const service = await starting.catch((error) => {
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
export async function within(
  ms: number,
  part: string,
  done: Promise<void> | undefined,
  log: Logger,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ part, ms }, "Arrêt : cette partie ne s'achève pas, la suite s'en passe")
      resolve()
    }, ms)
  })
  const ended = done?.catch((err) => log.error({ err, part }, 'Arrêt : cette partie a échoué'))
  await Promise.race([ended, late])
  clearTimeout(timer)
}
