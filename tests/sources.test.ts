import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function sources(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'testing'].includes(entry.name) ? [] : sources(path)
    return /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : []
  })
}

// What takes in text that others wrote.
const OPEN = ['apps/server/src', 'packages/contracts/src', 'packages/formats/src', 'packages/rainfall/src']
const files = OPEN.flatMap(sources)

describe('what the server never does', () => {
  test('it calls no address on behalf of a visitor: only the bucket of the settings is asked', () => {
    const callers = files.filter((path) =>
      /\bawait fetch\((?!part)|import \{[^}]*\b(request|get|Agent)\b[^}]*\} from 'node:https?'|from 'undici'/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    )
    expect(callers).toEqual([join('apps/server/src/store/s3/bucket.ts')])
  })

  test('it runs no text: no eval, no Function, no shell', () => {
    const wrong = files.filter((path) =>
      /\beval\(|new Function\(|\bexecSync\(|\bexec\(\s*['"`]|shell: true/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    )
    expect(wrong).toEqual([])
  })
})

/** Regular expression literals of a source, where one can stand. */
function literals(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return [
    ...code.matchAll(
      /(?<=[=(,:!&|?[{};\s]|return )\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)(?=[\s.,;)\]:}])/g,
    ),
  ].map(([literal]) => literal)
}

describe('regular expressions', () => {
  const found = files.flatMap((path) =>
    literals(readFileSync(join(root, path), 'utf8')).map((literal) => ({
      literal,
      path: relative(root, join(root, path)),
    })),
  )
  // One character again and again, and pairs of what expressions like to repeat, with an end that does not fit.
  const pumps = [
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '-',
    '.',
    '/',
    '<',
    '=',
    '"',
    '0.',
    'a ',
    'a=',
    '<a',
    'a,',
    '0-',
    '\\',
  ].map((piece) => `${piece.repeat(100_000 / piece.length)}\u0000`)

  test('there are some to look at', () => {
    expect(found.length).toBeGreaterThan(100)
  })

  test('none takes long for a long text that does not fit', () => {
    const slow: string[] = []
    const context = createContext({ pumps })
    for (const { literal, path } of found)
      try {
        // The time limit ends the matching itself.
        runInContext(`for (const pump of pumps) ${literal}.test(pump)`, context, { timeout: 10_000 })
      } catch (error) {
        // What looked like an expression may have been none.
        if (/timed out/.test(String(error))) slow.push(`${path}: ${literal}`)
      }
    expect(slow).toEqual([])
  })
})
