/**
 * Runs a bed of networks with EPA SWMM's own results beside them and tells how far ours are off.
 *
 *   node tools/swmm/bed.ts DIR [NAME...] [--held | --all] [--limit SECONDS] [--json FILE]
 *
 * DIR holds a folder a network: NAME.inp, links.csv, links-quarter.csv, nodes.csv, series.csv, summary.json. A third of
 * them, chosen by a hash of their names, is held away unless asked for. Each runs in a process of its own.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BedResult, runBedModel } from './bed-model.ts'
import { quantile } from './compare.ts'

const args = process.argv.slice(2)
const option = (name: string) => {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}
const isHeld = (name: string) => createHash('sha1').update(name).digest()[0] % 3 === 0

async function main() {
  const dir = args[0]
  const limitS = Number(option('--limit') ?? 60)
  const valued = new Set(['--limit', '--json'])
  const wanted = args.slice(1).filter((word, i, all) => !word.startsWith('--') && !valued.has(all[i - 1]))
  const names = readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, `${name}.inp`)))
    .filter((name) =>
      wanted.length > 0
        ? wanted.includes(name)
        : args.includes('--all') || isHeld(name) === args.includes('--held'),
    )
  const results: BedResult[] = []
  print(HEADER)
  for (const name of names) {
    const result = await run(dir, name, limitS)
    results.push(result)
    print(rowOf(result))
  }
  summarise(results)
  const path = option('--json')
  if (path) writeFileSync(path, JSON.stringify(results, null, 1))
}

function run(dir: string, name: string, limitS: number): Promise<BedResult> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [import.meta.filename, dir, '--one', name, ...args.filter((word) => word === '--explicit')],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let out = ''
    let errors = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (errors += chunk))
    const timer = setTimeout(() => child.kill('SIGKILL'), limitS * 1000)
    child.on('close', () => {
      clearTimeout(timer)
      const nativeS = Number(
        JSON.parse(readFileSync(join(dir, name, 'summary.json'), 'utf8')).user_cpu_s ?? Number.NaN,
      )
      try {
        resolve({ ...JSON.parse(out), name, nativeS })
      } catch {
        const why = /(?:Error|error)[^\n]*/.exec(errors)?.[0] ?? `not ended in ${limitS} s`
        resolve({ name, nativeS, ended: false, why } as BedResult)
      }
    })
  })
}

const HEADER = [
  'model',
  'ended',
  'balance',
  's',
  'native',
  'links',
  'open med/p95 %',
  'full med/p95 %',
  'nash min/med',
  'flood %',
  'outfall %',
  'steps',
  'rejected',
  'nested',
  'evals',
]
const WIDTHS = [22, 6, 8, 7, 7, 8, 16, 16, 16, 8, 9, 8, 8, 7, 9]

function rowOf(r: BedResult): string[] {
  if (!r.ended) return [r.name, 'no', '', '', String(r.nativeS), r.why ?? '']
  const pair = (values: number[]) =>
    values.length === 0
      ? '-'
      : `${percent(quantile(values, 0.5))} / ${percent(quantile(values, 0.95))} (${values.length})`
  return [
    r.name,
    'yes',
    r.balance.toExponential(0),
    r.seconds.toFixed(2),
    String(r.nativeS),
    `${r.open.length + r.full.length}/${r.main}`,
    pair(r.open),
    pair(r.full),
    r.nash.length === 0 ? '-' : `${Math.min(...r.nash).toFixed(3)} / ${quantile(r.nash, 0.5).toFixed(4)}`,
    percent(r.flooded),
    percent(r.outfall),
    String(r.steps),
    String(r.rejected),
    String(r.nestedFailed ?? ''),
    String(r.evaluations ?? ''),
  ]
}

const percent = (share: number) => (Math.abs(share) < 10 ? (100 * share).toFixed(2) : share.toExponential(1))

function print(cells: string[]) {
  console.log(cells.map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0)).join(' '))
}

function summarise(results: BedResult[]) {
  const ended = results.filter((r) => r.ended)
  const open = ended.flatMap((r) => r.open)
  const full = ended.flatMap((r) => r.full)
  const nash = ended.flatMap((r) => r.nash)
  const speed = ended.filter((r) => r.nativeS >= 0.5).map((r) => r.nativeS / r.seconds)
  console.log(
    [
      `ended ${ended.length} of ${results.length}`,
      `largest balance ${Math.max(0, ...ended.map((r) => r.balance)).toExponential(1)}`,
      `never full ${percent(quantile(open, 0.5))} / ${percent(quantile(open, 0.95))} % (${open.length})`,
      `full ${percent(quantile(full, 0.5))} / ${percent(quantile(full, 0.95))} % (${full.length})`,
      `Nash >= 0.99 at ${nash.filter((n) => n >= 0.99).length} of ${nash.length}`,
      `native / ours (native >= 0.5 s): median ${quantile(speed, 0.5).toFixed(2)}, least ${Math.min(...speed).toFixed(2)}`,
    ].join('; '),
  )
}

const one = option('--one')
if (one) {
  process.stdout.write(
    JSON.stringify(
      await runBedModel(args[0], one, { scheme: args.includes('--explicit') ? 'explicit' : 'implicit' }),
    ),
  )
} else {
  await main()
}
