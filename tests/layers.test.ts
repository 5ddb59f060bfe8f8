import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

// Who may import whom (docs/architecture.md, "Layers").
const ALLOWED: Record<string, string[]> = {
  'packages/contracts': [],
  'packages/client': [],
  'packages/formats': ['contracts'],
  'packages/rainfall': ['contracts'],
  'packages/hydrology': ['contracts'],
  'packages/locale': ['contracts'],
  'packages/motion': ['contracts', 'rainfall'],
  'packages/polarimetry': ['contracts', 'rainfall'],
  'packages/scaling': ['contracts', 'motion'],
  'packages/charts': ['contracts', 'rainfall', 'locale'],
  'packages/demo': ['contracts', 'formats', 'rainfall', 'hydrology', 'motion', 'polarimetry', 'locale'],
  'apps/server': [
    'contracts',
    'formats',
    'rainfall',
    'hydrology',
    'motion',
    'polarimetry',
    'scaling',
    'locale',
    'charts',
    'demo',
  ],
  'apps/web': ['contracts', 'rainfall', 'locale', 'charts'],
}

const root = resolve(import.meta.dirname, '..')

function sources(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'build'].includes(entry.name) ? [] : sources(path)
    return /\.(ts|tsx|js)$/.test(entry.name) ? [path] : []
  })
}

function imports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g)].map((m) => m[1])
}

/** Files of ours that a file imports, by relative paths. */
function targets(path: string, names = imports(path)): string[] {
  return names
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(path), name)))
}

/** What a file imports when it runs, at once or later. */
function runtimeTargets(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\s)[^'"]*?from\s+['"]([^'"]+)['"]/gm)
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  return targets(
    path,
    [...statements, ...calls].map(([, name]) => name),
  )
}

/** A way from a file back to itself; null without one. */
function circle(uses: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>()
  const way: string[] = []
  const visit = (path: string): string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (seen.has(path)) return null
    seen.add(path)
    way.push(path)
    for (const used of uses.get(path) ?? []) {
      const found = visit(used)
      if (found !== null) return found
    }
    way.pop()
    return null
  }
  for (const path of uses.keys()) {
    const found = visit(path)
    if (found !== null) return found
  }
  return null
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.includes('/testing/')

describe('layers', () => {
  test.each(Object.entries(ALLOWED))('%s imports only the packages below it', (dir, allowed) => {
    const wrong: string[] = []
    for (const path of sources(join(dir, 'src'))) {
      for (const name of imports(path)) {
        const internal = /^@radx\/([a-z]+)/.exec(name)?.[1]
        if (internal && !allowed.includes(internal) && !dir.endsWith(internal)) wrong.push(`${path}: ${name}`)
        if (name.startsWith('.')) {
          const target = relative(root, resolve(root, dirname(path), name))
          if (!target.startsWith(dir)) wrong.push(`${path}: ${name} leaves ${dir}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('each room of the sewer uses only those before it', () => {
    const base = 'packages/hydrology/src/sewer'
    const rooms = 'types.ts errors.ts sections network devices step explicit results solver.ts'.split(' ')
    const roomOf = (path: string) => rooms.indexOf(relative(base, path).split('/')[0])
    const paths = sources(base).filter((path) => !isTest(path))
    expect(paths.filter((path) => roomOf(path) < 0)).toEqual([])
    const wrong = paths.flatMap((path) =>
      targets(path)
        .filter((target) => target.startsWith(base) && roomOf(target) > roomOf(path))
        .map((target) => `${path} uses ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('no file needs itself by way of others when it runs', () => {
    const files = Object.keys(ALLOWED).flatMap((dir) => sources(join(dir, 'src')))
    const uses = new Map(files.filter((path) => !isTest(path)).map((path) => [path, runtimeTargets(path)]))
    expect(uses.size).toBeGreaterThan(500)
    expect(circle(uses)).toBeNull()
    const [first] = uses.keys()
    expect(circle(new Map([...uses, [first, ['a']], ['a', [first]]]))).toEqual([first, 'a', first])
  })

  // What no feature owns. `cli/` and the files beside the folders put the features together.
  const SHARED = ['config', 'db', 'http', 'store', 'testing', 'threads']

  test('what server features use of each other stands in the api.ts of its owner', () => {
    const base = 'apps/server/src'
    const wrong: string[] = []
    for (const path of sources(base)) {
      const own = relative(base, path).split('/')[0]
      if (isTest(path) || own === 'cli' || !relative(base, path).includes('/')) continue
      for (const target of targets(path)) {
        const [other, ...inside] = relative(base, target).split('/')
        if (inside.length === 0 || other === own || SHARED.includes(other)) continue
        if (inside.join('/') !== 'api.ts') wrong.push(`${path}: ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('screens do not reach into each other', () => {
    const base = 'apps/web/src/features'
    const wrong: string[] = []
    for (const path of sources(base)) {
      if (isTest(path)) continue
      for (const target of targets(path)) {
        const [other, ...inside] = relative(base, target).split('/')
        if (other !== '..' && inside.length > 0 && other !== relative(base, path).split('/')[0])
          wrong.push(`${path}: ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(
    ['rainfall', 'hydrology', 'motion', 'polarimetry', 'scaling', 'locale', 'contracts'].map(
      (name) => `packages/${name}/src`,
    ),
  )('%s is pure: no node module, clock or randomness', (base) => {
    const wrong = sources(base)
      .filter((path) => !isTest(path))
      .filter((path) => {
        const text = readFileSync(join(root, path), 'utf8')
        return (
          imports(path).some((name) => name.startsWith('node:')) ||
          /\bDate\.now\b|\bMath\.random\b/.test(text)
        )
      })
    expect(wrong).toEqual([])
  })
})
