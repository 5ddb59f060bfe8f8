import { runAsLeader } from './db/leader.ts'
import type { App, Deps } from './http/app.ts'

/**
 * Runs a background task while the server serves, in one process however many do: from when it is ready until it closes,
 * which waits for the task to end.
 * @param name of the lock that the processes ask for
 * @param task ends soon after its signal; begun again when it ends before
 */
export function keepInOneProcess(
  app: App,
  { database, log }: Pick<Deps, 'database' | 'log'>,
  name: string,
  task: (signal: AbortSignal) => Promise<void>,
): void {
  const stop = new AbortController()
  let running = Promise.resolve()
  app.addHook('onReady', async () => {
    running = runAsLeader(database, name, task, { stop: stop.signal, log })
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
}
