#!/usr/bin/env node
// Entry of the `radx` program. It is plain JavaScript so that an older Node can read it:
// when the machine's Node does not strip types it hands over to the pinned Node of this checkout.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const major = Number(process.versions.node.split('.')[0])

if (major >= 24) {
  // What the sources compile to is kept: halves the time a command takes to start. Where it cannot be, nothing is.
  const { enableCompileCache } = await import('node:module')
  // Threads know of it by the environment alone.
  process.env.NODE_COMPILE_CACHE ??= join(here, '../../../node_modules/.cache/radx')
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
  // Whatever a library still holds open must not keep the process.
  setTimeout(() => process.exit(), 2_000).unref()
} else {
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = [
    join(here, '../../../node_modules', platform, 'bin', name),
    join(here, '../node_modules', platform, 'bin', name),
  ].find((path) => existsSync(path))
  if (!pinned) {
    console.error(
      `radx needs Node 24; this is ${process.versions.node} and the pinned one is not installed. Run: npm ci`,
    )
    process.exit(70)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // Whoever stops this process means the program, which would otherwise live on without it.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
