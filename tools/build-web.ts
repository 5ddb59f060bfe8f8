import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'apps/web')
const dist = join(web, 'dist')
/** Says what the build was made of; a server never gives it out. */
const stamp = join(dist, '.sources')

const SOURCES = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/index.html',
  'apps/web/vite.config.ts',
  'apps/web/en',
  'apps/web/english-plugin.ts',
  'apps/web/guide-plugin.ts',
  'docs/guide',
  'apps/web/package.json',
  'packages/contracts/src',
  'packages/rainfall/src',
  'packages/locale/src',
  'packages/charts/src',
  'packages/hydrology/src',
  'packages/hydrology/build',
  'package-lock.json',
]

/** Whether the web application was built of the sources as they are now, told by their content. */
export function isWebFresh(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash()
}

/** Builds the web application beside its place and swaps it in, so that a running server never lacks a file. */
export async function buildWeb(): Promise<void> {
  if (isWebFresh()) return
  const hash = sourcesHash()
  const fresh = `dist.${process.pid}`
  await asProduction(() =>
    build({ root: web, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } }),
  )
  await asProduction(() =>
    build({
      root: web,
      mode: 'english',
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: false, copyPublicDir: false },
    }),
  )
  writeFileSync(join(web, fresh, '.sources'), hash)
  const old = join(web, `dist.${process.pid}.old`)
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(join(web, fresh), dist)
  rmSync(old, { recursive: true, force: true })
  console.log('site : apps/web/dist')
}

/** The bundler takes the development build of its libraries when NODE_ENV says so, as a test runner's does. */
async function asProduction(run: () => Promise<unknown>): Promise<void> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await run()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesIn(source))) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`))
}
