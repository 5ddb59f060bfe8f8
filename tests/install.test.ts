import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

// Packages of the tests ask for a newer Node than an older machine has; what runs them is pinned and newer.
test('npm ci warns of nothing, whatever Node the machine has', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'radx-install-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = ['.npmrc', 'package.json', 'package-lock.json', '{packages,apps}/*/package.json']
  for (const path of globSync(files, { cwd: root })) cpSync(join(root, path), join(dir, path))
  // The machine's own npm, not the Node that npm puts before it.
  const own = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const env = Object.fromEntries(
    Object.entries({ ...process.env, PATH: own.join(delimiter) }).filter(([key]) => !/^npm_/i.test(key)),
  )
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts']
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: dir, env })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/added \d+ packages/)
})
