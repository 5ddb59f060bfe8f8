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

/** First arguments of `test`, `test.each(…)` and of the cases of attacks, as they are written. */
const titlesOf = (source: string): string[] =>
  [...source.matchAll(/(?:\btest\(|^\s*|\)\(\s*|name: )(['"`])((?:\\.|(?!\1).)+)\1/gm)].map(
    (match) => match[2],
  )
