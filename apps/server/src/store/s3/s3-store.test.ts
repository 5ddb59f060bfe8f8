import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBucket, type TestBucket } from '../../testing/s3-server.ts'
import { StoreCorruptError } from '../frame-codec.ts'
import type { PackName } from '../frame-store.ts'
import { Bucket } from './bucket.ts'
import { ObjectStoreRefusal, ObjectStoreUnavailable } from './errors.ts'
import { S3FileStore } from './s3-file-store.ts'
import { S3FrameStore } from './s3-frame-store.ts'

let service: TestBucket
let bucket: Bucket
let local: string
beforeAll(async () => {
  service = await startTestBucket()
})
afterAll(() => service.close())
let n = 0
beforeEach(() => {
  bucket = new Bucket({ ...service.settings, prefix: `test ${++n}/é&/` })
  local = mkdtempSync(join(tmpdir(), 'radx-s3-local-'))
})
afterEach(() => rmSync(local, { recursive: true, force: true }))

const name: PackName = { product: 'dpsri', day: '2021-07-04', kind: 'pack', generation: 0 }
const bytes = (text: string) => Buffer.from(text)
const keys = async (prefix = '') => {
  const found: string[] = []
  for await (const { key } of bucket.list(prefix)) found.push(key)
  return found
}

describe('frame store in a bucket', () => {
  // A reader in another process: it knows nothing of what the writer remembers.
  const store = () => new S3FrameStore(bucket)

  test('records are objects of their own until they are gathered, and read the same before and after', async () => {
    const writer = store()
    const early = store()
    const refs = await writer.append(name, 0, [bytes('one'), Buffer.alloc(200_000, 1), bytes('three')])
    expect(refs.map((r) => r.offset)).toEqual([0, 3, 200_003])
    const order = [refs[2], refs[0]]
    expect((await early.read(name, order)).map(String)).toEqual(['three', 'one'])
    expect(await keys()).toHaveLength(3)
    await writer.put({ ...name, kind: 'members', generation: 3 }, [bytes('four')])
    const issued = []
    for await (const file of writer.issued('dpsri')) issued.push(file.name)
    expect(issued).toEqual([{ ...name, kind: 'members', generation: 3 }])
    await writer.remove(issued[0])
    const [loose] = await writer.loose()
    expect(loose.name).toEqual(name)
    expect(loose.newestMs).toBeGreaterThan(Date.now() - 60_000)

    await writer.compact(name, refs)
    expect(await keys()).toEqual(['store/dpsri/2021/2021-07-04.pack'])
    expect(await writer.loose()).toEqual([])
    // `early` still believes that they lie apart; a new reader believes nothing.
    expect((await early.read(name, [refs[1]]))[0].equals(Buffer.alloc(200_000, 1))).toBe(true)
    expect((await store().read(name, order)).map(String)).toEqual(['three', 'one'])

    // A late frame for a day that is gathered already.
    const [late] = await store().append(name, 200_008, [bytes('late')])
    expect((await early.read(name, [late, refs[0]])).map(String)).toEqual(['late', 'one'])
    await store().compact(name, [...refs, late])
    expect((await early.read(name, [late])).map(String)).toEqual(['late'])
    expect((await store().read(name, [refs[2], late])).map(String)).toEqual(['three', 'late'])
    expect(await keys()).toHaveLength(1)
  })

  test('what a failed transaction left is never taken for a record, not even when it arrives late', async () => {
    const [torn] = await store().append(name, 0, [bytes('torn')])
    const [kept] = await store().append(name, 0, [bytes('kept!')])
    expect(kept.offset).toBe(torn.offset)
    await store().append(name, 0, [bytes('late')])
    expect((await store().read(name, [kept])).map(String)).toEqual(['kept!'])
    await store().compact(name, [kept])
    expect((await store().read(name, [kept])).map(String)).toEqual(['kept!'])
    expect(await keys()).toHaveLength(1)
  })

  test('after the database went back to a backup, new records are not hidden by older ones', async () => {
    const reader = store()
    const refs = await store().append(name, 0, [bytes('aaaa'), bytes('bbbb'), bytes('cccc')])
    await store().compact(name, refs)
    expect((await reader.read(name, refs)).map(String)).toEqual(['aaaa', 'bbbb', 'cccc'])
    const [anew] = await store().append(name, 4, [bytes('XXXXXX')])
    expect((await store().read(name, [refs[0], anew])).map(String)).toEqual(['aaaa', 'XXXXXX'])
  })

  test('a record that is not there is damage, and the rest of its day can still be gathered and read', async () => {
    const refs = await store().append(name, 0, [bytes('aaaa'), bytes('bbbb')])
    await bucket.delete((await keys())[0])
    await expect(store().read(name, refs)).rejects.toThrow(StoreCorruptError)
    await store().compact(name, refs)
    expect((await store().read(name, [refs[1]])).map(String)).toEqual(['bbbb'])
    await expect(store().read({ ...name, day: '1999-01-01' }, refs)).rejects.toThrow(StoreCorruptError)
  })

  test('files that are put whole are read in parts, and a generation goes with all that belongs to it', async () => {
    const tiles: PackName = { ...name, kind: 'tiles', generation: 2 }
    await store().put(tiles, [bytes('head'), bytes('body')])
    const parts = await store().read(tiles, [
      { offset: 2, length: 4 },
      { offset: 0, length: 4 },
    ])
    expect(parts.map(String)).toEqual(['adbo', 'head'])
    await store().append({ ...name, kind: 'classes', generation: 2 }, 0, [bytes('x'), bytes('y')])
    await store().remove({ ...name, kind: 'classes', generation: 2 })
    await store().remove({ ...name, kind: 'classes', generation: 2 })
    expect(await keys()).toEqual(['store/dpsri/2021/2021-07-04.g2.tiles'])
  })

  test('more records a day than one listing answers are all found', async () => {
    await Promise.all(
      Array.from({ length: 230 }, (_, k) =>
        bucket.put(`store/dpsri/2021/2021-07-04.pack/${String(k).padStart(12, '0')}-1`, bytes('x')),
      ),
    )
    expect(await keys()).toHaveLength(230)
    expect(await store().loose()).toHaveLength(1)
  })
})

describe('files in a bucket', () => {
  const files = (limit?: number) => new S3FileStore(bucket, join(local, 'cache'), limit)
  const file = (path: string, text: string) => {
    mkdirSync(join(local, path, '..'), { recursive: true })
    writeFileSync(join(local, path), text)
    return join(local, path)
  }

  test('an original is archived once, never over another of its name', async () => {
    await files().keepOriginal(file('a', 'one'), 'odim/2021/07/04/a.h5')
    await files().keepOriginal(file('a', 'one'), 'odim/2021/07/04/a.h5')
    await files().keepOriginal(file('a', 'two'), 'odim/2021/07/04/a.h5')
    expect(existsSync(join(local, 'a'))).toBe(false)
    expect(await keys('archive/')).toEqual([
      expect.stringMatching(/a\.[0-9a-f]{8}\.h5$/),
      'archive/odim/2021/07/04/a.h5',
    ])
    const path = await files().original('odim/2021/07/04/a.h5')
    expect(readFileSync(path!, 'utf8')).toBe('one')
    expect(await files().original('odim/none')).toBeNull()
    expect(await files().originalHash('odim/none')).toBeNull()
  })

  test('a folder is put whole, replaces the one before, and is fetched on every machine', async () => {
    file('out/old.txt', 'old')
    await files().putFolder(join(local, 'out'), 'jobs/1/out')
    file('out/a.txt', 'A')
    file('out/sub/b & c.txt', 'B')
    file('out/empty', '')
    await files().putFolder(join(local, 'out'), 'jobs/1/out')
    const other = new S3FileStore(bucket, join(local, 'other machine'))
    const [dir, same] = await Promise.all([other.folder('jobs/1/out'), other.folder('jobs/1/out')])
    expect(same).toBe(dir)
    expect(readdirSync(dir!).sort()).toEqual(['a.txt', 'empty', 'sub'])
    expect(readFileSync(join(dir!, 'sub/b & c.txt'), 'utf8')).toBe('B')
    expect(await files().folder('jobs/2/out')).toBeNull()
  })

  test('fetched copies make room for newer ones', async () => {
    for (const id of ['1', '2', '3']) {
      file('out/data', 'x'.repeat(1_000))
      await files().putFolder(join(local, 'out'), `jobs/${id}/out`)
    }
    const small = files(2_500)
    for (const id of ['1', '2', '3']) {
      const dir = await small.folder(`jobs/${id}/out`)
      expect(readFileSync(join(dir!, 'data'), 'utf8')).toHaveLength(1_000)
    }
    const kept = ['1', '2', '3'].filter((id) => existsSync(join(local, 'cache/jobs', id, 'out/data')))
    expect(kept).toHaveLength(2)
    expect(kept).toContain('3')
  })
})

describe('a bucket that does not do as asked', () => {
  const refusing: Server[] = []
  afterEach(() => {
    for (const server of refusing.splice(0)) server.close()
  })
  const answering = async (answers: number[]) => {
    let asked = 0
    const server = createServer((request, response) => {
      request.resume()
      response.statusCode = answers[Math.min(asked++, answers.length - 1)]
      response.end(response.statusCode < 300 ? 'done' : '<Error><Code>Said</Code></Error>')
    })
    refusing.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { bucket: new Bucket({ ...service.settings, endpoint }), asked: () => asked, server }
  }

  test('wrong keys and a wrong bucket are refusals that hold no key', async () => {
    for (const wrong of [{ secretAccessKey: 'not this one' }, { bucket: 'other' }]) {
      const other = new Bucket({ ...service.settings, ...wrong })
      const error = await other.put('a', bytes('x')).catch((e) => e)
      expect(error).toBeInstanceOf(ObjectStoreRefusal)
      expect(error.message).toMatch(/Le stockage des images refuse la demande \(40[34] \w+\)/)
      expect(JSON.stringify([error.message, error.details])).not.toMatch(/AKTEST|secret|not this one/)
    }
  })

  test('a failure that passes is tried again, one that stays says that the store is away', async () => {
    const passing = await answering([503, 500, 200])
    expect(String(await passing.bucket.get('a'))).toBe('done')
    expect(passing.asked()).toBe(3)
    const staying = await answering([503])
    await expect(staying.bucket.get('a')).rejects.toThrow(ObjectStoreUnavailable)
    const gone = await answering([200])
    await new Promise((done) => gone.server.close(done))
    await expect(gone.bucket.get('a')).rejects.toThrow(/connexion refusée/)
  })
})
