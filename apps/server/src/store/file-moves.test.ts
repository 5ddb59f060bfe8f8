import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeOnce } from './file-moves.ts'

test('of many that make a file at once all read one content, whole, and a later one changes nothing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-once-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'data')
  const path = join(folder, 'inbox.id')
  const read = await Promise.all(
    Array.from({ length: 40 }, async (_, k) => {
      await writeOnce(path, `server ${k}`, 0o600)
      return readFile(path, 'utf8')
    }),
  )
  expect(new Set(read).size).toBe(1)
  expect(read[0]).toMatch(/^server \d+$/)
  await writeOnce(path, 'late')
  expect(await readFile(path, 'utf8')).toBe(read[0])
  expect(readdirSync(folder)).toEqual(['inbox.id'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
