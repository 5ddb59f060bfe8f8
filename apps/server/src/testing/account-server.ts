import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountSettings, addAccount } from '../accounts/service.ts'
import { accountSessions } from '../accounts/sessions.ts'
import type { App, Deps } from '../http/app.ts'
import { createServer } from '../server.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { handleOf, testConfig, testDeps } from './deps.ts'

export interface AccountServer {
  app: App
  database: TestDatabase
  /** Settable time of the server, milliseconds. */
  clock: { ms: number; now(): number }
  deps: Deps
  /** Makes an account (password: its name followed by `-secret`) and signs it in. */
  signIn(name: string, settings?: AccountSettings): Promise<string>
  close(): Promise<void>
}

export const passwordOf = (name: string) => `${name}-secret`

/** The whole server on a database of its own, with accounts, called through `inject`. */
export async function startAccountServer(
  env: Record<string, string> = { DEMO: '0' },
  overrides: Partial<Deps> = {},
): Promise<AccountServer> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-accounts-'))
  const clock = { ms: Date.parse('2026-06-15T12:00:00Z'), now: () => clock.ms }
  const config = testConfig({ DATA_DIR: dataDir, ...env })
  const deps = await testDeps({
    config,
    database: handleOf(database),
    clock,
    sessions: accountSessions(database.db, clock, config.accounts),
    ...overrides,
  })
  const app = await createServer(deps)
  return {
    app,
    database,
    clock,
    deps,
    async signIn(name, settings) {
      await addAccount(database.db, name, passwordOf(name), settings)
      const answer = await app.inject({
        method: 'POST',
        url: '/api/users/login',
        payload: { username: name, password: passwordOf(name) },
      })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json().token
    },
    async close() {
      await app.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
