/**
 * `npm run soak [PART...]`: the long form of tests that the suite runs short, bounded in count and time.
 *
 * - ingest: a server killed ten times while it takes in 500 files
 * - jobs: ten workers killed at random moments of jobs of 30 s, and a job whose workers die until it is given up
 * - kills: server, worker and database killed 200 times under load; the database away for a minute
 * - alerts: ten processes that watch rules and tell killed 200 times while images make a rule cross and a webhook is told
 * - floods: a storm over the demonstration's town, its members shared out among four workers of which one is killed
 * - load: 60 visitors for ten seconds (`npm run load` is the long form)
 * - screens: axe, zoom and keyboard on every screen, a hundred navigations in the browser
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const PARTS: Record<string, { args: string[]; env?: Record<string, string> }> = {
  ingest: {
    args: [vitest, 'run', '--project', 'db', 'tests/crash/ingest.test.ts'],
    env: { RADX_SOAK_KILLS: '10', RADX_SOAK_FILES: '500' },
  },
  jobs: {
    args: [vitest, 'run', '--project', 'db', 'apps/server/src/jobs/jobs.db.test.ts'],
    env: { RADX_SOAK_KILLS: '10' },
  },
  kills: {
    args: [vitest, 'run', '--project', 'db', 'tests/crash/kills.test.ts'],
    env: { RADX_SOAK_ANY_KILLS: '200', RADX_SOAK_AWAY_MS: '60000' },
  },
  alerts: {
    args: [vitest, 'run', '--project', 'db', 'tests/crash/kills.test.ts', '-t', 'watch rules'],
    env: { RADX_SOAK_ALERT_KILLS: '200' },
  },
  floods: {
    args: [vitest, 'run', '--project', 'db', 'tests/crash/floods.test.ts'],
    env: { RADX_SOAK_FLOODS: '1' },
  },
  load: { args: [join(root, 'tools/load.ts'), '--short'] },
  screens: {
    args: [vitest, 'run', '--project', 'browser', 'tests/browser/every-screen.test.ts'],
    env: { RADX_SOAK_NAVIGATIONS: '100' },
  },
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS)
for (const name of wanted) {
  const part = PARTS[name]
  if (!part) throw new Error(`no part ${name}; there are ${Object.keys(PARTS).join(', ')}`)
  console.log(`\n— ${name}`)
  const env = { ...process.env, ...part.env }
  const { status } = spawnSync(process.execPath, part.args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
