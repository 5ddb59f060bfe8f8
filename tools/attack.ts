/**
 * `npm run attack [-- --short] [WORD...]`: the long form of tests/attack, some fifteen minutes: each case against the
 * started program, from outside, on this machine only. WORDs choose cases by their names. Prints a table and fails
 * when something did not hold.
 */
import { parseArgs } from 'node:util'
import { type AttackReport, runCase } from '../tests/attack/attack-case.ts'
import { CASES } from '../tests/attack/cases/index.ts'
import { startProgram } from '../tests/attack/program.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = CASES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (chosen.length === 0)
  throw new Error(`no case is called so; there are\n${CASES.map((c) => c.name).join('\n')}`)

const reports: AttackReport[] = []
let program = await startProgram()
for (const attack of chosen) {
  console.log(`— ${attack.name}`)
  const report = await runCase(attack, program, !values.short).catch(
    (error): AttackReport => ({
      name: attack.name,
      load: '',
      worstMs: null,
      memoryMb: 0,
      outcome: '',
      wrong: [(error as Error).stack ?? String(error)],
    }),
  )
  reports.push(report)
  for (const sentence of report.wrong) console.log(`  ! ${sentence}`)
  // The next case starts from a whole program.
  if (!program.alive()) {
    await program.stop()
    program = await startProgram()
  }
}
const code = await program.stop()
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
process.exitCode = reports.some(({ wrong }) => wrong.length > 0) || code !== 0 ? 1 : 0
