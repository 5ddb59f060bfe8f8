/**
 * `npm start`: builds what is missing or out of date and runs the server at the same time, so that the page
 * shows as soon as either allows.
 */
import { spawn } from 'node:child_process'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

// As `radx` does: what the sources compile to is kept, for this process, its threads and the bundler.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/radx')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// A process of its own: the bundler would hold up the server's first answers.
const build = spawn(process.execPath, [join(root, 'tools/build.ts')], { cwd: root, stdio: 'inherit' })
build.on('exit', (code) => {
  if (code)
    console.error('La construction du site a échoué (voir ci-dessus) ; le serveur continue sans elle.')
})
process.on('exit', () => build.kill())

// Told to end, npm ends the shell between us and nothing else: whoever loses it was meant too.
const shell = process.ppid
if (process.env.npm_lifecycle_event === 'start') {
  const look = setInterval(() => {
    if (process.ppid === shell) return
    // Once: told again, it would wait for nothing.
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

const { main } = await import('../apps/server/src/cli/main.ts')
process.exitCode = await main(['serve', ...process.argv.slice(2)])
build.kill()
// As `radx` does: whatever a library still holds open must not keep the process.
setTimeout(() => process.exit(), 2_000).unref()
