/**
 * `npm run mutate -- PACKAGE [GLOB[:FROM-TO]]... [--share 0.2 --seed 1] [--jobs 1] [--timeout 60] [--tests GLOB]...`:
 * changes the sources of `rainfall`, `locale`, `formats` or `hydrology` bit by bit and looks whether the package's own unit tests
 * notice. Stryker does it and comes by `npx`, since it would more than double what is installed. Writes
 * `mutate-PACKAGE.json` and prints the score by file. Globs are below the package's `src`; with `:FROM-TO`, only
 * changes that lie inside these lines.
 * `--share` takes that share of the lines by chance: changes that reach over several lines are then left out.
 * `--tests`, also below `src`, leaves all other tests out, such as slow ones: all together notice as much or more.
 * `--timeout`, in s, has to be generous on a busy machine: a change whose tests are only slow would count as caught.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const VERSION = '10.1.1'
const PACKAGES = ['rainfall', 'locale', 'formats', 'hydrology']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    timeout: { type: 'string', default: '3' },
    tests: { type: 'string', multiple: true, default: ['**/*.test.ts'] },
    out: { type: 'string' },
  },
})
const [name, ...globs] = positionals
const [share, seed, timeoutS] = [values.share, values.seed, values.timeout].map(Number)
const jobs = values.jobs === undefined ? undefined : Number(values.jobs)
const sound = share > 0 && share <= 1 && seed > 0 && timeoutS > 0 && (jobs === undefined || jobs >= 1)
if (!PACKAGES.includes(name) || !sound) {
  console.error(
    `usage: mutate ${PACKAGES.join('|')} [GLOB[:FROM-TO]]... [--share 0.2 --seed 1] [--jobs 1] [--timeout 60] [--tests GLOB]... [--out FILE]`,
  )
  process.exit(2)
}
const root = resolve(import.meta.dirname, '..')
const out = resolve(values.out ?? join(tmpdir(), `mutate-${name}.json`))
const work = mkdtempSync(join(tmpdir(), 'radx-mutate-'))

/** Numbers in [0, 1) that are the same for the same seed (Park and Miller 1988). */
function numbers(state: number): () => number {
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function chosenLines(): string[] {
  const random = numbers(seed)
  const chosen = (globs.length > 0 ? globs : ['**/*.ts']).flatMap((wanted) => {
    const [, glob, range] = /^(.*?)(:\d+-\d+)?$/.exec(wanted) as RegExpExecArray
    const files = globSync(`packages/${name}/src/${glob}`, { cwd: root }).filter(
      (path) => !path.endsWith('.test.ts') && !path.includes('/testing/'),
    )
    if (files.length === 0) throw new Error(`no source is ${glob}`)
    return files.map((path) => path + (range ?? ''))
  })
  if (share === 1) return chosen.sort()
  return chosen.sort().flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((_, k) => (random() < share ? [`${path}:${k + 1}-${k + 1}`] : [])),
  )
}

const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // As the suite runs: some libraries behave otherwise in a thread.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false, pool: 'forks' },
  coverageAnalysis: 'perTest',
  mutate: chosenLines(),
  ignorePatterns: ['/*', '!/packages', '/packages/hydrology/assembly', '!/tools', '!/package.json'],
  tempDirName: join(work, 'sandbox'),
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: out },
  disableTypeChecks: false,
  // A change that makes a loop endless is caught by this, on top of half as much again as the tests took.
  timeoutMS: 1000 * timeoutS,
  ...(jobs === undefined ? {} : { concurrency: jobs }),
}

interface Report {
  files: Record<string, { mutants: { status: string }[] }>
}

/** Score as Stryker has it: caught (killed or made endless) of all that are valid; those no test reaches count too. */
function table(report: Report): string {
  const line = (path: string, statuses: string[]) => {
    const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length
    const caught = count('Killed', 'Timeout')
    const missed = count('Survived')
    const unreached = count('NoCoverage')
    const score = ((100 * caught) / (caught + missed + unreached)).toFixed(1)
    return `| ${path} | ${caught + missed + unreached} | ${caught} | ${missed} | ${unreached} | ${score} % |`
  }
  const files = Object.entries(report.files).map(
    ([path, { mutants }]) => [path.split('/src/')[1], mutants.map(({ status }) => status)] as const,
  )
  const all = files.flatMap(([, statuses]) => statuses)
  return [
    '| file | changes | caught | missed | reached by no test | score |',
    '| --- | --- | --- | --- | --- | --- |',
    ...files.map(([path, statuses]) => line(path, statuses)),
    line('all', all),
  ].join('\n')
}

/** Stryker and the processes that it starts are one group, so that a signal to this process leaves none of them behind. */
async function stryker(configFile: string): Promise<number | null> {
  const packages = ['core', 'vitest-runner'].flatMap((part) => ['-p', `@stryker-mutator/${part}@${VERSION}`])
  const windows = process.platform === 'win32'
  const started = spawn('npx', ['--yes', ...packages, 'stryker', 'run', configFile], {
    cwd: root,
    env: { ...process.env, RADX_MUTATE: name, RADX_MUTATE_TESTS: values.tests.join(',') },
    stdio: 'inherit',
    shell: windows,
    detached: !windows,
  })
  const endGroup = () => {
    try {
      if (started.pid !== undefined) process.kill(windows ? started.pid : -started.pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endGroup)
  // npm hands a signal to its shell alone, which ends without a word.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (process.ppid !== parent) endGroup()
  }, 1000)
  const [status] = await once(started, 'exit')
  clearInterval(orphaned)
  endGroup()
  return status
}

try {
  const path = join(work, 'stryker.json')
  writeFileSync(path, JSON.stringify(config))
  const status = await stryker(path)
  if (status !== 0) throw new Error(`stryker ended with ${status}`)
  console.log(table(JSON.parse(readFileSync(out, 'utf8')) as Report))
  console.log(`${out} holds each change; share ${share} of the lines, seed ${seed}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
