import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '../..')

/** A server of its own process group, so that nothing of it survives. */
export function startServer(
  env: Record<string, string>,
  command = 'serve',
): { child: ChildProcess; log: () => string } {
  return startProcess(['apps/server/bin/radx.js', command], env)
}

/** A process that watches alert rules alone (alert-process.ts). */
export const startWatcher = (env: Record<string, string>) =>
  startProcess(['tests/crash/alert-process.ts'], {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/radx'),
    ...env,
  })

function startProcess(
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; log: () => string } {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, DEMO: '0', PORT: '0', RADX_LOG: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (log += chunk))
  return { child, log: () => log.slice(-4_000) }
}

export async function kill9(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await gone
}

export const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Puts files into the inbox as a sender does that renames them when they are complete. */
export async function fillInbox(
  dataDir: string,
  files: { name: string; bytes: Uint8Array }[],
): Promise<void> {
  await mkdir(join(dataDir, 'inbox'), { recursive: true })
  for (const { name, bytes } of files) await writeFile(join(dataDir, 'inbox', name), bytes)
}

/** Waits for a condition; fails with the server's last words. */
export async function until(
  what: string,
  condition: () => Promise<boolean>,
  log: () => string,
  limitMs = 180_000,
): Promise<void> {
  for (const end = Date.now() + limitMs; !(await condition()); await sleep(20))
    if (Date.now() > end) throw new Error(`${what}: waited too long\n${log()}`)
}
