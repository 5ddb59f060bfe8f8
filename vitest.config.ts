import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './tests/setup/slowest-first.ts'

/** Threads of servers under test compile nothing anew: a second of processor each. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/radx')
/** Servers of tests have other things to do than to forecast floods; who tests that switches it on. */
const env = { DEMO_FLOODS: '0', NODE_COMPILE_CACHE }

/**
 * Rooms of the suite. `unit` needs nothing; `db` gets a real PostgreSQL from tests/setup/postgres.ts;
 * `browser` a real server and Chromium; `conformance` the reference data in ../shared/data.
 */
export default defineConfig({
  test: {
    // One worker a core: two cores had 2 % idle with three workers, and took as long.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // These share nothing but what they import, and importing it anew for each file takes as long as they do.
          isolate: false,
          env: { NODE_COMPILE_CACHE },
          setupFiles: ['tests/setup/seed.ts'],
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'tests/*.test.ts',
          ],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'db',
          env,
          // As above: importing the server anew takes a second a file.
          isolate: false,
          include: [
            'apps/server/src/**/*.db.test.ts',
            'tests/crash/**/*.test.ts',
            'tests/attack/**/*.test.ts',
            'tests/clients/**/*.test.ts',
          ],
          globalSetup: ['tests/setup/postgres.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          env,
          // Files share a browser, see tests/browser/support.ts.
          isolate: false,
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/setup/postgres.ts', 'tests/setup/web.ts'],
          // A second, as vitest has it, is not enough for a page on a busy machine.
          expect: { poll: { timeout: 120_000 } },
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'conformance',
          env,
          isolate: false,
          include: ['tests/conformance/**/*.test.ts'],
          globalSetup: ['tests/setup/postgres.ts'],
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
