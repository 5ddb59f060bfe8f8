import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod, chown, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { postgresAccount } from '../db/embedded/account.ts'
import type { Logger } from '../log.ts'

/** Says with which rights everything in the folder was last gone through. */
const MARK = '.rights'
/** What only RadX puts into a data folder: a folder with something else is not touched. */
const OURS = ['inbox', 'archive', 'store', 'staging', 'postgres', 'postgres.json', MARK]
/** PostgreSQL's own, which it keeps to itself. */
const KEPT_APART = /^postgres(\..*)?$/

export interface Rights {
  /** Mode of the data folder itself, of the folders and of the files in it. */
  root: number
  folder: number
  file: number
  /** Group of everything; null leaves it. */
  gid: number | null
}

/**
 * Who may look into the data folder: RadX's own account, and with `DATA_GROUP` the accounts of that group. Where root runs
 * PostgreSQL under its account, that may pass through to its folder, and nothing more.
 * @throws ConfigError for a group that there is not
 */
export function rightsOf({ dataGroup, databaseUrl }: Pick<Config, 'dataGroup' | 'databaseUrl'>): Rights {
  const passer = databaseUrl === null ? (postgresAccount().gid ?? null) : null
  if (dataGroup === null)
    return { root: passer === null ? 0o700 : 0o710, folder: 0o700, file: 0o600, gid: passer }
  // New entries take over the group of their folder.
  return { root: passer === null ? 0o2770 : 0o2771, folder: 0o2770, file: 0o660, gid: groupId(dataGroup) }
}

function groupId(group: string): number {
  if (/^\d+$/.test(group)) return Number(group)
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${group}:`))
  if (line === undefined)
    throw new ConfigError('environment', `Variable DATA_GROUP « ${group} » : ce groupe n'existe pas.`, {
      variable: 'DATA_GROUP',
    })
  return Number(line.split(':')[2])
}

/**
 * Makes the data folder, closes it to others, and sets how this process creates files from now on. What lay in it before is
 * gone through once, in the background.
 * @throws ConfigError for a group that there is not
 */
export function closeDataFolder(
  config: Pick<Config, 'dataDir' | 'dataGroup' | 'databaseUrl'>,
  log: Logger,
): void {
  if (process.getuid === undefined || !isMainThread) return
  const { dataDir } = config
  const rights = rightsOf(config)
  const shared = config.dataGroup !== null
  try {
    // With everybody's usual rights: the folders above are not ours.
    mkdirSync(dataDir, { recursive: true })
  } catch {
    // What opens the database says it better.
    return
  }
  process.umask(shared ? 0o007 : 0o077)
  const told = (err: unknown) =>
    log.warn({ dataDir, err }, 'Les droits de DATA_DIR ne peuvent pas être restreints à ce compte')
  try {
    const names = readdirSync(dataDir)
    if (names.length > 0 && !names.some((name) => OURS.includes(name))) {
      log.warn(
        { dataDir },
        'DATA_DIR contient autre chose que des données de RadX : ses droits restent tels quels',
      )
      return
    }
    const { uid, gid, mode } = statSync(dataDir)
    if (rights.gid !== null && gid !== rights.gid) chownSync(dataDir, uid, rights.gid)
    if ((mode & 0o7777) !== rights.root) chmodSync(dataDir, rights.root)
  } catch (error) {
    told(error)
    return
  }
  closeOnce(dataDir, rights, shared).catch(told)
}

/** Goes through what was there before, unless it was with the same rights. */
async function closeOnce(dataDir: string, rights: Rights, shared: boolean): Promise<void> {
  const mark = join(dataDir, MARK)
  const wanted = `${rights.folder.toString(8)} ${rights.file.toString(8)} ${shared ? rights.gid : ''}\n`
  let found = ''
  try {
    found = readFileSync(mark, 'utf8')
  } catch {
    // The first time.
  }
  if (found === wanted) return
  for (const name of readdirSync(dataDir))
    if (!KEPT_APART.test(name)) await close(join(dataDir, name), rights, shared)
  writeFileSync(mark, wanted, { mode: rights.file })
}

async function close(path: string, rights: Rights, shared: boolean): Promise<void> {
  try {
    const stat = await lstat(path)
    // What a link leads to is not ours.
    if (!stat.isFile() && !stat.isDirectory()) return
    if (shared && rights.gid !== null && stat.gid !== rights.gid) await chown(path, stat.uid, rights.gid)
    const mode = stat.isFile() ? rights.file : rights.folder
    if ((stat.mode & 0o7777) !== mode) await chmod(path, mode)
    if (!stat.isDirectory()) return
    for await (const { name } of await opendir(path)) await close(join(path, name), rights, shared)
  } catch (error) {
    // Taken away meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
