/**
 * What npm runs after `npm ci`: builds the site and the kernels and keeps what the server's sources compile to, so that
 * the first `npm start` shows rain within seconds instead of waiting for a bundler. Never fails the installation: what
 * could not be built here (development packages left out, scripts off, an older Node) is built by `npm start`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const ready = Number(process.versions.node.split('.')[0]) >= 24 && existsSync(join(root, 'node_modules/vite'))

if (ready) {
  const run = (...args) =>
    spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  if (!run('tools/build.ts')) console.error('Construction incomplète : « npm start » la reprend.')
  // Loads all of the server and ends.
  run('apps/server/bin/radx.js', 'serve', '--help')
}
