/**
 * `npm run bench [-- NAME...]`: runs bench/NAME.bench.ts (all of them without a name), prints what they
 * measured beside the aims, and keeps it as JSON with the commit.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'

/** One measured figure. */
export interface BenchResult {
  name: string
  value: number
  unit: string
  note?: string
  /** What it should reach, as in `≤ 50 ms`. Told, never enforced. */
  aim?: string
}

/** What a file `bench/*.bench.ts` exports. */
export interface BenchModule {
  run(): Promise<BenchResult[]>
}

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'bench')
mkdirSync(join(folder, 'results'), { recursive: true })
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => name.slice(0, -'.bench.ts'.length))
  .sort()

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Mesure inconnue : ${unknown.join(', ')}. Mesures : ${known.join(', ') || 'aucune'}.`)
  process.exit(64)
}

const git = (...args: string[]) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
const commit = git('rev-parse', 'HEAD')
const changed = git('status', '--porcelain', '--untracked-files=no') !== ''

for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n${name}`)
  try {
    const bench: BenchModule = await import(join(folder, `${name}.bench.ts`))
    const results = await bench.run()
    print(results)
    keep(name, results)
  } catch (error) {
    console.error(`  échec : ${(error as Error).stack}`)
    process.exitCode = 1
  }
}

function print(results: BenchResult[]): void {
  const rows = results.map((r) => [
    r.name,
    `${r.value.toLocaleString('fr-FR', { maximumSignificantDigits: 4 })} ${r.unit}`,
    r.aim ? `visé ${r.aim}` : '',
    r.note ?? '',
  ])
  const widths = [0, 1, 2].map((i) => Math.max(0, ...rows.map((row) => row[i].length)))
  for (const row of rows)
    console.log(
      `  ${row[0].padEnd(widths[0])}  ${row[1].padStart(widths[1])}  ${row[2].padEnd(widths[2])}  ${row[3]}`.trimEnd(),
    )
}

/** By commit; figures of sources that are in no commit are local and stay out of the repository. */
function keep(name: string, results: BenchResult[]): void {
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
  }
  const file = commit && !changed ? `${name}-${commit.slice(0, 10)}.json` : `local-${name}.json`
  const text = JSON.stringify(
    { name, commit, changed, measuredAt: new Date().toISOString(), machine, results },
    null,
    2,
  )
  writeFileSync(join(folder, 'results', file), `${text}\n`)
}
