import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PROXIES = resolve(import.meta.dirname, '../../docs/proxies')
export const CACHE_KINDS = ['nginx', 'varnish', 'own'] as const
export type CacheKind = (typeof CACHE_KINDS)[number]

export interface RunningCache {
  kind: CacheKind
  url: string
  close(): Promise<void>
}

const PROGRAMS = { nginx: 'nginx', varnish: 'varnishd' }
const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0

/** The cache that is installed, nginx before varnish; else the small one of ours. */
export function installedCache(): CacheKind {
  return (['nginx', 'varnish'] as const).find((kind) => isInstalled(PROGRAMS[kind])) ?? 'own'
}

/**
 * Starts a cache before RadX with the configuration of docs/proxies, on a free port of this machine and without TLS.
 * @param dir folder for its files
 * @throws when it does not answer
 */
export async function startCache(kind: CacheKind, origin: string, dir: string): Promise<RunningCache> {
  if (kind === 'own') return startOwn(origin)
  mkdirSync(dir, { recursive: true })
  const port = await freePort()
  const child = kind === 'nginx' ? startNginx(origin, port, dir) : startVarnish(origin, port, dir)
  const url = `http://127.0.0.1:${port}`
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk))
  for (let k = 0; k < 400 && child.exitCode === null; k++) {
    if ((await fetch(`${url}/healthz`).catch(() => null))?.ok) return { kind, url, close: () => end(child) }
    await sleep(50)
  }
  await end(child)
  throw new Error(`${kind} did not start: ${said}`)
}

/** Ours, in a process of its own: who asks and who answers share no core. */
async function startOwn(origin: string): Promise<RunningCache> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'caching-program.ts'), origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the cache did not start')
  })
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
  ended.catch(() => undefined)
  return { kind: 'own', url: String(said).trim(), close: () => end(child) }
}

/** The configuration as it is given to operators, with the names of this machine. @throws when a line is not there */
function fitted(file: string, changes: [RegExp, string][]): string {
  let text = readFileSync(join(PROXIES, file), 'utf8')
  for (const [line, own] of changes) {
    if (!line.test(text)) throw new Error(`${file} has no line ${line}`)
    text = text.replace(line, own)
  }
  return text
}

function startNginx(origin: string, port: number, dir: string): ChildProcess {
  const http = fitted('nginx.conf', [
    [/server 127\.0\.0\.1:3000/, `server ${new URL(origin).host}`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${port} backlog=4096;`],
    [/ {2}ssl_certificate .*;\n/, ''],
    [/ {2}ssl_certificate_key .*;\n/, ''],
    [/\/var\/cache\/nginx\/radx/, join(dir, 'kept')],
  ])
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(dir, name)};\n`,
  )
  const config = `daemon off;
pid ${join(dir, 'nginx.pid')};
error_log stderr warn;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000;
${own.join('')}${http}}
`
  writeFileSync(join(dir, 'nginx.conf'), config)
  return spawn('nginx', ['-p', dir, '-e', 'stderr', '-c', join(dir, 'nginx.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function startVarnish(origin: string, port: number, dir: string): ChildProcess {
  const { hostname, port: behind } = new URL(origin)
  const config = fitted('varnish.vcl', [
    [/\.host = "127\.0\.0\.1";/, `.host = "${hostname}";`],
    [/\.port = "3000";/, `.port = "${behind}";`],
  ])
  writeFileSync(join(dir, 'radx.vcl'), config)
  const options = ['-F', '-a', `127.0.0.1:${port}`, '-f', join(dir, 'radx.vcl'), '-n', join(dir, 'work')]
  return spawn('varnishd', [...options, '-s', 'malloc,512m', '-p', 'listen_depth=4096'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
