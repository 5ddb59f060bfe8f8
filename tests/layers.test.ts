import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

// Who may import whom (docs/architecture.md, "Layers").
const ALLOWED: Record<string, string[]> = {
  'packages/contracts': [],
  'packages/formats': ['contracts'],
  'packages/rainfall': ['contracts'],
  'packages/hydrology': ['contracts'],
  'packages/locale': ['contracts'],
  'packages/motion': ['contracts', 'rainfall'],
  'packages/polarimetry': ['contracts', 'rainfall'],
  'packages/charts': ['contracts', 'rainfall', 'locale'],
  'packages/demo': ['contracts', 'formats', 'rainfall', 'hydrology', 'motion', 'polarimetry', 'locale'],
  'apps/server': [
    'contracts',
    'formats',
    'rainfall',
    'hydrology',
    'motion',
    'polarimetry',
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

  test.each(['apps/server/src', 'apps/web/src/features'])(
    'features of %s do not reach into each other',
    (base) => {
      const shared = new Set([
        'db',
        'http',
        'store',
        'ingest',
        'realtime',
        'jobs',
        'cli',
        'testing',
        'config',
        'threads',
      ])
      const wrong: string[] = []
      for (const path of sources(base)) {
        if (isTest(path)) continue
        const feature = relative(base, path).split('/')[0]
        if (shared.has(feature) || !relative(base, path).includes('/')) continue
        for (const name of imports(path)) {
          if (!name.startsWith('.')) continue
          const target = relative(join(root, base), resolve(root, dirname(path), name))
          const other = target.split('/')[0]
          if (target.startsWith('..') || !target.includes('/') || other === feature || shared.has(other))
            continue
          wrong.push(`${path}: ${name}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )

  test.each(
    ['rainfall', 'hydrology', 'motion', 'polarimetry', 'locale', 'contracts'].map(
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
