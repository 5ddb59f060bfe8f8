import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Tables as they are written, from `<table` to `</table>`. */
const tables = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter(({ name }) => /(?<!\.test)\.tsx$/.test(name))
  .flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const found = readFileSync(path, 'utf8').match(/<table\b[\s\S]*?<\/table>/g) ?? []
    return found.map((table) => ({ path: relative(ROOT, path), table }))
  })

test('every table tells a screen reader its name and what its columns or rows are', () => {
  expect(tables.length).toBeGreaterThan(15)
  const wrong = tables.flatMap(({ path, table }) => {
    const head = table.slice(0, table.search(/<(?:caption|thead|tbody|tr|colgroup)\b/))
    const isNamed = /aria-label(?:ledby)?=/.test(head) || table.includes('<caption')
    const heads = table.match(/<th\b[^>]*>/g) ?? []
    const hasHeads = heads.length > 0 || /<(?:Table)?Head /.test(table)
    return [
      ...(isNamed ? [] : [`${path}: no name`]),
      ...(hasHeads ? [] : [`${path}: no head`]),
      ...heads.filter((th) => !/\bscope=/.test(th)).map((th) => `${path}: ${th}`),
    ]
  })
  expect(wrong).toEqual([])
})
