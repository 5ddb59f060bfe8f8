/**
 * `npm run soak`: the long form of tests that the suite runs short. A server killed ten times (SIGKILL) while
 * it takes in 500 files; ten workers killed at random moments of jobs of 30 s, and a job whose workers die
 * until it is given up.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const env = { ...process.env, RADX_SOAK_KILLS: '10', RADX_SOAK_FILES: '500' }
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'db', 'tests/crash/ingest.test.ts', 'apps/server/src/jobs/jobs.db.test.ts'],
  {
    cwd: root,
    env,
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
