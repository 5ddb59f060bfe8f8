import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { type Account, canEnter } from './account.ts'
import { type Binaries, SYSTEM_DIR } from './binaries.ts'

/** PostgreSQL's own user who may do everything. */
export const SUPERUSER = 'postgres'

/**
 * In the data folder, unless PostgreSQL's account cannot reach that. The name elsewhere is new each time:
 * a data folder that was emptied must not meet the tables of its former life.
 */
export function chooseClusterDir(dataDir: string, account: Account): string {
  const name = 'postgres'
  if (canEnter(account, dataDir)) return name
  const place = join(SYSTEM_DIR, `${basename(resolve(dataDir))}-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(place, { recursive: true, mode: 0o755 })
    writeFileSync(join(place, 'origin.txt'), `${resolve(dataDir)}\n`)
  } catch (cause) {
    throw new ConfigError(
      'dataDir',
      `Le compte « postgres » ne peut pas traverser ${dataDir}, et ${SYSTEM_DIR} ne peut pas être écrit. Choisir un autre DATA_DIR, ou indiquer une base par DATABASE_URL.`,
      { dataDir },
      cause,
    )
  }
  if (!canEnter(account, place))
    throw new ConfigError(
      'dataDir',
      `Le compte « postgres » ne peut traverser ni ${dataDir} ni ${place}. Choisir un autre DATA_DIR, ou indiquer une base par DATABASE_URL.`,
    )
  return join(place, name)
}

/**
 * Creates the cluster beside its place and moves it there whole, so that a kill leaves no half of one. One that is
 * there already stays.
 * @throws ConfigError `postgres-version` when it is of another major version
 * @throws DatabaseUnavailable when it cannot be created
 */
export async function createCluster(
  clusterDir: string,
  password: string,
  account: Account,
  binaries: Binaries,
): Promise<void> {
  if (existsSync(join(clusterDir, 'PG_VERSION'))) {
    checkVersion(clusterDir, account, binaries)
    return
  }
  sweepPartials(clusterDir)
  const partial = `${clusterDir}.${process.pid}.${randomBytes(4).toString('hex')}.partial`
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  const passwordFile = `${partial}.pw`
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    for (const path of [partial, passwordFile]) giveTo(account, path)
    await initialise(
      binaries.initdb,
      [
        `--pgdata=${partial}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Known to every system, and the same order everywhere.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      account,
    )
    try {
      renameSync(partial, clusterDir)
    } catch (cause) {
      if (!existsSync(join(clusterDir, 'PG_VERSION'))) throw cause
    }
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Takes a second, in which the server gets ready. @throws DatabaseUnavailable */
function initialise(initdb: string, args: string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(initdb, args, { ...account, cwd: '/' }, (error, _, stderr) => {
      if (error === null) return resolve()
      const said = stderr.trim().split('\n').slice(-3).join(' ') || error.message
      reject(
        /No space left/i.test(said)
          ? new DatabaseUnavailable('le disque est plein')
          : new DatabaseUnavailable(`création impossible, ${said}`),
      )
    })
  })
}

function checkVersion(clusterDir: string, account: Account, binaries: Binaries): void {
  const major = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  const { stdout } = spawnSync(binaries.postgres, ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    ...account,
  })
  const ours = /(?<!\d)(\d+)\./.exec(stdout)?.[1]
  if (ours !== undefined && ours !== major)
    throw new ConfigError(
      'postgresVersion',
      `La base de données de ${clusterDir} est de PostgreSQL ${major}, le programme fourni est ${ours}. Voir docs/operations.md, « Upgrading PostgreSQL ».`,
    )
}

function giveTo({ uid, gid }: Account, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Removes what killed processes left of clusters that were never finished. */
function sweepPartials(clusterDir: string): void {
  const parent = dirname(clusterDir)
  const pattern = new RegExp(`^${basename(clusterDir)}\\.(\\d+)\\.[0-9a-f]+\\.partial`)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = Number(pattern.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
