import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreCorruptError } from './frame-codec.ts'
import type { PackName } from './frame-store.ts'
import { FsFrameStore } from './fs-frame-store.ts'

const name: PackName = { product: 'dpsri', day: '2021-07-04', kind: 'pack', generation: 0 }
const bytes = (text: string) => Buffer.from(text)

describe('frame store in a folder', () => {
  let root: string
  let store: FsFrameStore
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'radx-store-'))
    store = new FsFrameStore(root)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('records are read back in the order asked for, near and far ones', async () => {
    const big = Buffer.alloc(200_000, 1)
    const refs = await store.append(name, 0, [bytes('one'), big, bytes('three')])
    expect(refs.map((r) => r.offset)).toEqual([0, 3, 200_003])
    const [more] = await store.append(name, 200_008, [bytes('four')])
    const read = await store.read(name, [more, refs[2], refs[0]])
    expect(read.map(String)).toEqual(['four', 'three', 'one'])
  })

  test('a torn tail that no index row knows of is overwritten', async () => {
    await store.append(name, 0, [bytes('kept')])
    await appendFile(store.path(name), 'torn tail of a crashed writer')
    const [ref] = await store.append(name, 4, [bytes('next')])
    expect(ref).toEqual({ offset: 4, length: 4 })
    expect(await readFile(store.path(name), 'utf8')).toBe('keptnext')
  })

  test('a file that is shorter than the index says is refused on reading and on writing', async () => {
    const refs = await store.append(name, 0, [bytes('0123456789')])
    await truncate(store.path(name), 4)
    await expect(store.read(name, refs)).rejects.toThrow(StoreCorruptError)
    await expect(store.append(name, 10, [bytes('x')])).rejects.toThrow(StoreCorruptError)
    await expect(store.read({ ...name, day: '1999-01-01' }, refs)).rejects.toThrow(StoreCorruptError)
  })

  test.skipIf(!existsSync('/dev/full'))('a disk that is full leaves no part of a file behind', async () => {
    const tiles = { ...name, kind: 'tiles', generation: 3 } as const
    await mkdir(dirname(store.path(tiles)), { recursive: true })
    await symlink('/dev/full', `${store.path(tiles)}.part`)
    await expect(store.put(tiles, [bytes('a')])).rejects.toMatchObject({ code: 'ENOSPC' })
    expect((await readdir(dirname(store.path(tiles)))).filter((f) => f.includes('.g3.'))).toEqual([])
    await store.put(tiles, [bytes('a')])
    expect(await readFile(store.path(tiles), 'utf8')).toBe('a')
  })

  test('a generation replaces nothing of the one before', async () => {
    await store.put({ ...name, kind: 'tiles', generation: 1 }, [bytes('a')])
    await store.put({ ...name, kind: 'tiles', generation: 2 }, [bytes('b'), bytes('c')])
    await store.remove({ ...name, kind: 'tiles', generation: 1 })
    await store.remove({ ...name, kind: 'tiles', generation: 1 })
    const [read] = await store.read({ ...name, kind: 'tiles', generation: 2 }, [{ offset: 0, length: 2 }])
    expect(String(read)).toBe('bc')
  })
})
