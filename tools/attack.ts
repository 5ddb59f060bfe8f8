/**
 * `npm run attack [-- --short] [WORD...]`: the long form of tests/attack, half an hour and more on two cores: each case
 * against the started program, from outside, on this machine only. WORDs choose cases by their names. Builds the page
 * where it is not, prints a table whatever fails, and ends with 1 when something did not hold.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type AttackCase, type AttackReport, runCase } from '../tests/attack/attack-case.ts'
import { CASES } from '../tests/attack/cases/index.ts'
import { type Program, SHARED, startProgram } from '../tests/attack/program.ts'
import { buildWeb } from './build-web.ts'

/** A case that has not ended by then counts as failed. */
const CASE_LIMIT_MS = 60 * 60_000

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = CASES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (chosen.length === 0)
  throw new Error(`no case is called so; there are\n${CASES.map((c) => c.name).join('\n')}`)

/** What nobody waited for went wrong, since it was last asked. */
let stray: string[] = []
process.on('unhandledRejection', (error) => stray.push(told(error)))
process.on('uncaughtException', (error) => stray.push(told(error)))

const told = (error: unknown): string => (error instanceof Error && error.stack) || String(error)
const failure = (name: string, sentence: string): AttackReport => ({
  name,
  load: '',
  worstMs: null,
  memoryMb: 0,
  outcome: '',
  wrong: [sentence],
})

async function attacked(attack: AttackCase, program: Program): Promise<AttackReport> {
  stray = []
  const limit = new AbortController()
  const report = await Promise.race([
    runCase(attack, program, !values.short).catch((error) => failure(attack.name, told(error))),
    sleep(CASE_LIMIT_MS, failure(attack.name, 'did not end within an hour'), { signal: limit.signal }),
  ])
  limit.abort()
  return { ...report, wrong: [...report.wrong, ...stray] }
}

const reports: AttackReport[] = []
let program: Program | null = null
/** The next case starts from a whole program. */
async function whole(): Promise<Program> {
  if (program?.alive()) return program
  await program?.stop()
  program = null
  program = await startProgram(SHARED)
  return program
}

try {
  await buildWeb()
} catch (error) {
  reports.push(failure('the page is built', told(error)))
}
for (const attack of chosen) {
  console.log(`— ${attack.name}`)
  const begin = performance.now()
  const report = await whole().then(
    (started) => attacked(attack, started),
    (error) => failure(attack.name, told(error)),
  )
  reports.push(report)
  for (const sentence of report.wrong) console.log(`  ! ${sentence}`)
  console.log(`  ${Math.round((performance.now() - begin) / 1000)} s`)
}
const code = (await (program as Program | null)?.stop().catch(told)) ?? 0
console.table(
  reports.map(({ name, load, worstMs, memoryMb, outcome, wrong }) => ({
    case: name,
    load,
    'worst ms': worstMs,
    'memory MB': memoryMb,
    outcome: wrong.length > 0 ? `FAILED: ${wrong.length}` : outcome,
  })),
)
if (code !== 0) console.log(`the program ended with ${code}`)
// What a case that hangs still holds must not keep this from ending.
process.exit(reports.some(({ wrong }) => wrong.length > 0) || code !== 0 ? 1 : 0)
