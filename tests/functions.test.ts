import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Longest function, lines from its head to its last brace. */
const LIMIT = 80

/** Rooms in which no function is longer. A room that has become clean is added; none leaves. */
const CLEAN = [
  ...'accounts administration articles audit backup builder cli config demo events http ingest nowcast radar scaling shapefiles station store storms sweeps threads'
    .split(' ')
    .map((room) => `apps/server/src/${room}`),
  'apps/server/src/simulation/run',
  'packages/contracts/src',
  'packages/demo/src',
  'packages/hydrology/assembly/explicit',
  'packages/hydrology/assembly/sections',
  'packages/hydrology/assembly/sewer',
  'packages/hydrology/src/sewer',
  'packages/locale/src',
  'packages/motion/src',
  'packages/polarimetry/src',
  'packages/rainfall/src',
  'packages/scaling/src',
]

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Functions of a source with their first lines and lengths, those inside others included. */
function functions(path: string): { name: string; lines: number }[] {
  const text = readFileSync(join(root, path), 'utf8')
  const found: { name: string; lines: number }[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value !== null && typeof value === 'object') {
      const node = value as Node
      if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
        const lines = text.slice(node.start, node.end).split('\n').length
        found.push({ name: `${path}:${text.slice(0, node.start).split('\n').length}`, lines })
      }
      for (const field of Object.values(node)) visit(field)
    }
  }
  visit(parseSync(path, text).program)
  return found
}

const sources = (room: string): string[] =>
  readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('/testing/'))

test('functions are counted from head to brace, inner ones too', () => {
  const own = functions('tests/functions.test.ts')
  expect(own.length).toBeGreaterThan(5)
  expect(Math.max(...own.map(({ lines }) => lines))).toBeGreaterThan(15)
})

test.each(CLEAN)(`no function of %s is longer than ${LIMIT} lines`, (room) => {
  const paths = sources(room)
  expect(paths.length).toBeGreaterThan(0)
  const long = paths
    .flatMap(functions)
    .filter(({ lines }) => lines > LIMIT)
    .map(({ name, lines }) => `${name} has ${lines}`)
  expect(long).toEqual([])
})
