/**
 * `npm test [-- vitest arguments]`: types, lint, then every test. The last line, alone on its line, is
 * `N passed, N failed, N skipped` from vitest's own totals.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'radx-tests-'))
const report = join(scratch, 'report.json')
const failures: string[] = []

function step(label: string, module: string, args: string[]): void {
  console.log(`\n— ${label}`)
  const script = join(root, 'node_modules', module)
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) failures.push(label)
}

/** Steps at once, since each leaves a core idle now and then; what they print comes in their order. */
async function together(steps: [label: string, module: string, args: string[]][]): Promise<void> {
  const running = steps.map(([label, module, args]) => {
    const script = join(root, 'node_modules', module)
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void printed.push(chunk))
    return new Promise<() => void>((done) => {
      const ended = (problem: string | null) =>
        done(() => {
          console.log(`\n— ${label}`)
          process.stdout.write(Buffer.concat(printed))
          if (problem !== null) failures.push(label)
          if (problem) console.log(problem)
        })
      child.once('error', (error) => ended(String(error)))
      child.once('close', (status) => ended(status === 0 ? null : ''))
    })
  })
  for (const ended of running) (await ended)()
}

await together([
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']],
  ['types (web)', 'typescript/bin/tsc', ['-p', 'apps/web/tsconfig.json']],
  ['lint', '@biomejs/biome/bin/biome', ['check', '.']],
  ['build', '../tools/build.ts', []],
])
step('tests', 'vitest/vitest.mjs', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
])

const { passed, failed, skipped } = totals()
rmSync(scratch, { recursive: true, force: true })
console.log(failures.length > 0 ? `\nÉchec : ${failures.join(', ')}` : '\nTout passe')
if (failed > 0 || failures.length > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)

/** A file that could not even be loaded holds no test, and counts as one failure. */
function totals(): { passed: number; failed: number; skipped: number } {
  let read: Report
  try {
    read = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const broken = read.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests + broken.length,
    skipped: read.numPendingTests + read.numTodoTests,
  }
}
