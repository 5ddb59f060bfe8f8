import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { closeDataFolder } from './data-folder.ts'

const log = createLogger('silent')
const databaseUrl = 'postgres://elsewhere/radx'
let folder: string
let before: number

beforeEach(() => {
  before = process.umask(0o022)
  folder = mkdtempSync(join(tmpdir(), 'radx-rights-'))
})
afterEach(() => {
  process.umask(before)
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

/** A data folder of before, open to everyone. */
function openFolder(): string {
  const dataDir = join(folder, 'data')
  mkdirSync(join(dataDir, 'archive', '2026'), { recursive: true })
  mkdirSync(join(dataDir, 'inbox'))
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
  writeFileSync(join(dataDir, 'archive', '2026', 'frame'), '')
  writeFileSync(join(dataDir, 'postgres', 'base'), '')
  return dataDir
}
const settled = (dataDir: string) => vi.waitFor(() => expect(existsSync(join(dataDir, '.rights'))).toBe(true))

test('a data folder, what lies in it and what is made later are for its account alone', async () => {
  const dataDir = openFolder()
  closeDataFolder({ dataDir, dataGroup: null, databaseUrl }, log)
  expect(modeOf(dataDir)).toBe('700')
  await settled(dataDir)
  const inside = ['archive', 'archive/2026', 'archive/2026/frame', 'inbox', '.rights']
  expect(inside.map((name) => modeOf(join(dataDir, name)))).toEqual(['700', '700', '600', '700', '600'])
  // PostgreSQL sees to its own.
  expect(modeOf(join(dataDir, 'postgres', 'base'))).toBe('644')
  writeFileSync(join(dataDir, 'later'), '')
  mkdirSync(join(dataDir, 'made'))
  expect([modeOf(join(dataDir, 'later')), modeOf(join(dataDir, 'made'))]).toEqual(['600', '700'])
})

test('a group that shares it may read and write, and what is made later is of that group', async () => {
  const dataDir = openFolder()
  const gid = process.getgid!()
  closeDataFolder({ dataDir, dataGroup: String(gid), databaseUrl }, log)
  await settled(dataDir)
  expect(['', 'archive/2026', 'archive/2026/frame'].map((name) => modeOf(join(dataDir, name)))).toEqual([
    '2770',
    '2770',
    '660',
  ])
  mkdirSync(join(dataDir, 'made'))
  expect([modeOf(join(dataDir, 'made')), statSync(join(dataDir, 'made')).gid]).toEqual(['2770', gid])
  // Taken back, the folder closes again.
  closeDataFolder({ dataDir, dataGroup: null, databaseUrl }, log)
  expect(modeOf(dataDir)).toBe('700')
  await vi.waitFor(() => expect(modeOf(join(dataDir, 'archive/2026/frame'))).toBe('600'))
})

test('a folder of others is left as it is, and an unknown group ends the start', () => {
  writeFileSync(join(folder, 'holiday.jpg'), '')
  chmodSync(folder, 0o755)
  closeDataFolder({ dataDir: folder, dataGroup: null, databaseUrl }, log)
  expect([modeOf(folder), readdirSync(folder)]).toEqual(['755', ['holiday.jpg']])
  const dataGroup = 'no-such-group-here'
  expect(() => closeDataFolder({ dataDir: folder, dataGroup, databaseUrl }, log)).toThrow(/DATA_GROUP/)
})
