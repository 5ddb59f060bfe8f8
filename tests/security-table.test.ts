import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
/** Where paths of the table lie that name no folder of their own. */
const FOLDERS = ['', 'apps/server/src', 'packages']

const fileOf = (path: string): string | undefined =>
  FOLDERS.map((folder) => join(ROOT, folder, path)).find((file) => existsSync(file))

/** Rows of docs/security.md: their numbers, how each is held, and its last cell. */
const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, id, , held, proof]) => ({ id, held, proof }))

const paths = (proof: string) => [...proof.matchAll(/`([\w./-]+\.(?:ts|md))`/g)].map((match) => match[1])
/** Parts of the titles of tests, in quotation marks. */
const titles = (proof: string) => [...proof.matchAll(/“([^”]+)”/g)].map((match) => match[1])

describe('the table of docs/security.md', () => {
  test('it has its rows', () => {
    expect(rows.length).toBeGreaterThan(60)
    expect(rows.filter(({ proof }) => proof === undefined || proof === '')).toEqual([])
  })

  test('each test, case or page that it names exists', () => {
    const missing = rows.flatMap(({ id, proof }) =>
      paths(proof)
        .filter((path) => fileOf(path) === undefined)
        .map((path) => `${id}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  test('each title that it names is one of a test in a file of its row', () => {
    const missing = rows.flatMap(({ id, proof }) => {
      const sources = paths(proof).map((path) => readFileSync(fileOf(path)!, 'utf8'))
      return titles(proof)
        .filter((title) => !sources.some((source) => titlesOf(source).some((one) => one.includes(title))))
        .map((title) => `${id}: ${title}`)
    })
    expect(missing).toEqual([])
  })

  test('every requirement of levels 1 and 2 on authentication, sessions and logging is answered', () => {
    const answered = new Set(rows.flatMap(({ id }) => requirementsIn(id)))
    const open = Object.entries(ASVS_LEVEL_2)
      .flatMap(([section, count]) =>
        Array.from({ length: count }, (_, i) => [section, `${section}.${i + 1}`]),
      )
      .filter(([section, one]) => !answered.has(section) && !answered.has(one))
      .map(([, one]) => one)
    expect(open).toEqual([])
  })

  test('each row on authentication, sessions and logging names the test that proves it, or why there is none', () => {
    const unproven = rows
      .filter(({ id }) => /^V(6|7|16)\b/.test(id))
      .filter(
        ({ held, proof }) =>
          titles(proof).length === 0 &&
          !/^(none exist|not used)/.test(held) &&
          !paths(proof).some((path) => path.endsWith('.md')),
      )
      .map(({ id }) => id)
    expect(unproven).toEqual([])
  })
})

/**
 * How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has, of those that it numbers first; what follows in a
 * section is of level 3.
 */
const ASVS_LEVEL_2: Record<string, number> = {
  'V6.1': 3,
  'V6.2': 11,
  'V6.3': 4,
  'V6.4': 4,
  'V6.5': 5,
  'V6.6': 3,
  'V6.8': 4,
  'V7.1': 3,
  'V7.2': 4,
  'V7.3': 2,
  'V7.4': 5,
  'V7.5': 2,
  'V7.6': 2,
  'V16.1': 1,
  'V16.2': 5,
  'V16.3': 4,
  'V16.4': 3,
  'V16.5': 3,
}

/** `V6.2.1, V6.2.8–10` as its five numbers; a section by itself stays one. */
function requirementsIn(id: string): string[] {
  return [...id.matchAll(/V(\d+\.\d+)(?:\.(\d+))?(?:–(\d+))?/g)].flatMap(([, section, from, to]) => {
    if (from === undefined) return [`V${section}`]
    const last = Number(to ?? from)
    return Array.from({ length: last - Number(from) + 1 }, (_, i) => `V${section}.${Number(from) + i}`)
  })
}

/** First arguments of `test`, `test.each(…)` and of the cases of attacks, as they are written. */
const titlesOf = (source: string): string[] =>
  [...source.matchAll(/(?:\btest\(|^\s*|\)\(\s*|name: )(['"`])((?:\\.|(?!\1).)+)\1/gm)].map(
    (match) => match[2],
  )
