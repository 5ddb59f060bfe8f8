import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config/config-error.ts'

/** Whom PostgreSQL runs as. It refuses to run as root, so root hands it to the account `postgres`. */
export interface Account {
  uid?: number
  gid?: number
}

const NAME = 'postgres'

/**
 * @returns empty when this process is not root, else the `postgres` account, created when missing
 * @throws ConfigError when it is missing and cannot be created
 */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const known = lookUp()
  if (known) return known
  for (const [command, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', NAME],
    ['adduser', '-S', '-D', '-H', '-s', '/bin/false', NAME],
  ]) {
    spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 })
    const created = lookUp()
    if (created) return created
  }
  throw new ConfigError(
    'postgresAccount',
    "PostgreSQL refuse de fonctionner sous le compte root et le compte système « postgres » n'a pas pu être créé. Lancer RadX sous un compte ordinaire, créer ce compte, ou indiquer une base par DATABASE_URL.",
  )
}

function lookUp(): Required<Account> | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((l) => l.startsWith(`${NAME}:`))
  if (!line) return null
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Whether the account can enter a folder (and, with `write`, create in it). Asks the system itself. */
export function canEnter(account: Account, dir: string): boolean {
  if (account.uid === undefined) return true
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}
