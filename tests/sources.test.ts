import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { ERROR_CODES } from '@radx/contracts/errors'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function sources(dir: string, named = /\.ts$/): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'testing'].includes(entry.name) ? [] : sources(path, named)
    return named.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : []
  })
}

const packageSources = () => readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src'))

// What takes in text that others wrote.
const OPEN = ['apps/server/src', 'packages/contracts/src', 'packages/formats/src', 'packages/rainfall/src']
const files = OPEN.flatMap((dir) => sources(dir))

test('each registered code of an error is in use, and spelt in camel case', () => {
  const text = ['apps/server/src', 'apps/web/src', ...packageSources()]
    .flatMap((dir) => sources(dir, /\.tsx?$/))
    .filter((path) => !path.endsWith('error-codes.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const codes = Object.entries(ERROR_CODES).flatMap(([room, names]) => names.map((name) => [room, name]))
  const unused = codes.filter(
    ([room, name]) => ![`${room}.${name}`, `'${name}'`, `}.${name}\``].some((use) => text.includes(use)),
  )
  expect(unused).toEqual([])
  const odd = codes.filter(([room, name]) => room !== 'wms' && !/^[a-z][a-zA-Z0-9]*$/.test(room + name))
  expect(odd).toEqual([])
})

describe('what the server never does', () => {
  test('it calls the bucket of the settings and what the guard of addresses lets through, and nothing else', () => {
    const callers = files.filter(
      (path) =>
        !path.includes('/testing/') &&
        /\bawait fetch\((?!part)|import \{[^}]*\b(request|get|Agent)\b[^}]*\} from 'node:https?'|from 'undici'|sendNotification\(/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
    )
    expect(callers).toEqual(
      ['http/outbound/post.ts', 'store/s3/bucket.ts'].map((path) => join('apps/server/src', path)),
    )
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

test('what a class keeps to itself is `private`, spelt one way', () => {
  const all = ['apps/server/src', 'apps/web/src', ...packageSources()].flatMap((dir) =>
    sources(dir, /\.tsx?$/),
  )
  const wrong = all.filter((path) => /\bthis\.#[a-z]/.test(readFileSync(join(root, path), 'utf8')))
  expect(wrong).toEqual([])
})

test('what comes later in the page comes by `part`, which stays in its place where the network is away', () => {
  const lazy = sources('apps/web/src', /\.tsx?$/).filter((path) =>
    /\blazy\(/.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(lazy).toEqual([join('apps/web/src/app/part.tsx')])
})

describe('what comes from elsewhere is what was looked at', () => {
  test('every package of the lock file has its checksum and comes from the one registry', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>
    }
    const foreign = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    )
    expect(foreign.length).toBeGreaterThan(100)
    const wrong = foreign.filter(
      ([, { integrity, resolved }]) =>
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  test('base images of containers are named by their digest', () => {
    const images = [
      ...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm),
      ...readFileSync(join(root, 'compose.yaml'), 'utf8').matchAll(/^ +image: (\S+)/gm),
    ].map(([, image]) => image)
    const own = images.filter((image) => image.startsWith('radx:'))
    expect(own).toHaveLength(1)
    expect(images.length).toBe(4)
    for (const image of images.filter((name) => !own.includes(name)))
      expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
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
