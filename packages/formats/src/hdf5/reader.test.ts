import { FormatError } from '@radx/contracts/errors'
import { File, FS, ready } from 'h5wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOdim } from '../odim/odim.ts'
import { readOdimInWorker } from '../odim/worker.ts'
import { Hdf5Reader } from './reader.ts'

/** A composite of `side` x `side` cells, put together by the HDF5 library. */
function composite(side: number, chunks?: number[]): Uint8Array {
  const path = `/made-${side}.h5`
  const file = new File(path, 'w')
  file.create_attribute('Conventions', 'ODIM_H5/V2_2')
  const what = file.create_group('what')
  for (const [name, value] of Object.entries({ object: 'COMP', date: '20240101', time: '120000' }))
    what.create_attribute(name, value)
  const where = file.create_group('where')
  where.create_attribute('projdef', '+proj=longlat +datum=WGS84')
  for (const [name, value] of Object.entries({ LL_lon: 2, LL_lat: 48, UR_lon: 3, UR_lat: 49 }))
    where.create_attribute(name, value)
  const set = file.create_group('dataset1').create_group('data1')
  set.create_group('what').create_attribute('quantity', 'RATE')
  const data = new Float32Array(side * side).fill(1.5)
  set.create_dataset({ name: 'data', data, shape: [side, side], chunks, compression: chunks && 'gzip' })
  file.close()
  const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile(path)
  FS!.unlink(path)
  return bytes
}

const code = (error: unknown): string => {
  expect(error).toBeInstanceOf(FormatError)
  return (error as FormatError).code
}

let small: Uint8Array
let large: Uint8Array
beforeAll(async () => {
  await ready
  small = composite(8)
  large = composite(3000, [3000, 3000])
})

describe('reading HDF5 in a thread of its own', () => {
  const readers: Hdf5Reader[] = []
  const reader = (limits: ConstructorParameters<typeof Hdf5Reader>[0]): Hdf5Reader => {
    const made = new Hdf5Reader(limits)
    readers.push(made)
    return made
  }
  afterAll(() => Promise.all(readers.map((r) => r.close())))

  test('gives what the reader itself gives, file after file', async () => {
    const expected = await readOdim(small)
    const found = await Promise.all([
      readOdimInWorker(small),
      readOdimInWorker(small),
      readOdimInWorker(small),
    ])
    expect(found).toEqual([expected, expected, expected])
    expect(expected.rateMmH).toHaveLength(64)
  })

  test('the bytes of the caller stay his, also when they are part of a larger buffer', async () => {
    const around = Buffer.concat([Buffer.alloc(1000, 7), small, Buffer.alloc(1000, 7)])
    const view = around.subarray(1000, 1000 + small.length)
    await readOdimInWorker(view)
    expect(view).toEqual(Buffer.from(small))
  })

  test('refusals come through with code and message, and the next file is read', async () => {
    const one = reader({})
    const bad = one.readOdim(small.subarray(0, 700)).catch((error) => error)
    const good = one.readOdim(small)
    const error = await bad
    expect(code(error)).toBe('odim.damaged')
    expect(error.message).toContain('abîmé')
    expect((await good).ncols).toBe(8)
    expect(code(await one.readOdim(new Uint8Array(0)).catch((e) => e))).toBe('odim.empty')
    expect(code(await one.readOdim(new Uint8Array(65 * 2 ** 20)).catch((e) => e))).toBe('odim.tooLarge')
  })

  test('a file that takes too long is given up, and the next one is read in a new thread', async () => {
    const hasty = reader({ timeoutMs: 1 })
    expect(code(await hasty.readOdim(large).catch((error) => error))).toBe('odim.timeout')
    const patient = reader({ timeoutMs: 20_000 })
    expect((await patient.readOdim(large)).rateMmH.length).toBe(9_000_000)
  })

  test('a file that takes too much memory is refused, and the next one is read', async () => {
    const narrow = reader({ maxMemoryMb: 48 })
    expect(code(await narrow.readOdim(large).catch((error) => error))).toBe('odim.memory')
    expect((await narrow.readOdim(small)).ncols).toBe(8)
  })

  test('a closed reader refuses what waits', async () => {
    const closing = new Hdf5Reader()
    const waiting = closing.readOdim(small).catch((error) => error)
    await closing.close()
    expect((await waiting).message).toContain('closed')
    await expect(closing.readOdim(small)).rejects.toThrow('closed')
  })
})
