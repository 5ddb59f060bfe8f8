import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { table } from './cli/table.ts'
import { readable } from './log.ts'

const FORGED = 'anne\n{"level":"info","msg":"Connexion"}\u001b[2J\u202egnp'

/** What the log of a program of its own writes to standard output. */
const written = (statement: string): string[] =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
      const log = createLogger('info')
      ${statement}`,
    ],
    { encoding: 'utf8' },
  )
    .trimEnd()
    .split('\n')

test('a text that somebody typed makes no second line, as JSON, in a terminal or in a table of a command', () => {
  const lines = written(`log.warn({ account: ${JSON.stringify(FORGED)} }, 'Connexion refusée')`)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0])).toMatchObject({ level: 'warn', account: FORGED })
  expect(new Date(JSON.parse(lines[0]).time).toISOString()).toBe(JSON.parse(lines[0]).time)
  for (const text of [
    readable(lines[0]),
    `${table(['QUI'], [[FORGED]])
      .split('\n')
      .slice(1)
      .join('\n')}\n`,
  ]) {
    expect(text.split('\n')).toHaveLength(2)
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\u202E]/u)
  }
})

test('secrets are masked wherever a caller puts them', () => {
  const [line] = written(
    `log.info({ token: 'secret-a', password: 'secret-b', body: { password: 'secret-c', token: 'secret-d' }, req: { headers: { authorization: 'secret-e', cookie: 'secret-f' } } }, 'x')`,
  )
  expect(line).not.toContain('secret-')
  expect(line.match(/\[masqué\]/g)).toHaveLength(6)
})
