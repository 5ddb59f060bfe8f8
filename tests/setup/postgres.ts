import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { Cluster } from '../../apps/server/src/db/embedded/cluster.ts'
import { createLogger } from '../../apps/server/src/log.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for this run; `createTestDatabase` makes databases on it. */
    databaseUrl: string
  }
}

interface Shared {
  url: Promise<string>
  users: number
  stop(): void
}

// Several projects of one run share the server.
const shared = globalThis as { radxTestPostgres?: Shared }

/** One PostgreSQL for the run: `TEST_DATABASE_URL` when set, else an own one in a temporary folder. */
export default async function setup(project: TestProject): Promise<() => void> {
  shared.radxTestPostgres ??= start()
  const server = shared.radxTestPostgres
  server.users += 1
  project.provide('databaseUrl', await server.url)
  return () => {
    server.users -= 1
    if (server.users > 0) return
    server.stop()
    delete shared.radxTestPostgres
  }
}

function start(): Shared {
  if (process.env.TEST_DATABASE_URL)
    return { url: Promise.resolve(process.env.TEST_DATABASE_URL), users: 0, stop: () => undefined }
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-test-postgres-'))
  // Run as root, PostgreSQL's own account must pass through.
  chmodSync(dataDir, 0o755)
  const cluster = Cluster.of({
    dataDir,
    log: createLogger('error'),
    // Durability is tested on clusters of the tests' own.
    settings: { fsync: 'off' },
  })
  let stop = (): void => undefined
  const url = cluster.then(async (c) => {
    stop = () => c.stop()
    const { user, password, host, port } = await c.ensureRunning()
    return `postgres://${user}:${password}@${host}:${port}/postgres`
  })
  return {
    url,
    users: 0,
    stop: () => {
      stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
