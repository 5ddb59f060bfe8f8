import { expect, test } from 'vitest'
import { linkKernel, readRecords, writeField, writeRecord } from './records.ts'
import { createSewer } from './sewer/solver.ts'
import { junction, network, outfall } from './sewer/testing/build.ts'
import { createSurface } from './surface/surface.ts'
import { sewerWasm, simd } from './testing/kernels.ts'
import { smallTown } from './testing/town.ts'

const RECORDS = { Pair: { first: 'f64', second: 'i32' }, Other: { address: 'usize' } } as const
const global = (value: number) => new WebAssembly.Global({ value: 'i32', mutable: false }, value)
const kernel = () => ({
  'Pair.first:f64': global(8),
  'Pair.second:i32': global(16),
  Pair: global(24),
  'Other.address:usize': global(0),
  Other: global(4),
  GRAVITY: global(10),
  step: () => 0,
})
const stale = expect.objectContaining({
  code: 'surface.stale',
  message: expect.stringMatching(/npm start.*node tools\/build\.ts kernels/),
})
const read = (exports: object) => readRecords(exports as WebAssembly.Exports, RECORDS, 'surface.stale')

test('a kernel tells where its records have their fields, and the host writes there', () => {
  const places = read(kernel())
  expect(places).toEqual({
    Pair: { bytes: 24, at: { first: 8, second: 16 } },
    Other: { bytes: 4, at: { address: 0 } },
  })
  const view = new DataView(new ArrayBuffer(48))
  writeRecord(view, 24, RECORDS.Pair, places.Pair, { first: 1.5, second: -2 })
  expect([view.getFloat64(32, true), view.getInt32(40, true)]).toEqual([1.5, -2])
})

test.each([
  ['a field less', { 'Pair.second:i32': undefined }],
  ['a field of another type', { 'Pair.second:i32': undefined, 'Pair.second:u32': global(16) }],
  ['a field more', { 'Pair.third:f64': global(24) }],
  ['a record more', { Third: global(8) }],
  ['no size', { Other: undefined }],
])('a kernel of other sources is refused, with what to do (%s)', (_, change) => {
  expect(() => read({ ...kernel(), ...change })).toThrow(stale)
})

test('a kernel that reckons with another gravity is refused', () => {
  const withGravity = (gravity: number) => {
    const value = new Uint8Array(Float64Array.of(gravity).buffer)
    const name = [...new TextEncoder().encode('GRAVITY')]
    const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
    // One constant f64, and its export.
    return Uint8Array.from([...head, 6, 13, 1, 0x7c, 0, 0x44, ...value, 0x0b, 7, 11, 1, 7, ...name, 3, 0])
  }
  expect(linkKernel(withGravity(9.81), {}, {}, 'surface.stale').places).toEqual({})
  expect(() => linkKernel(withGravity(9.80665), {}, {}, 'surface.stale')).toThrow(stale)
})

test('each field of records that stand side by side is written where it stands', () => {
  const places = read(kernel())
  const view = new DataView(new ArrayBuffer(80))
  writeField(view, 8, RECORDS.Pair, places.Pair, 'second', [5, 6, 7])
  expect([24, 48, 72].map((at) => view.getInt32(at, true))).toEqual([5, 6, 7])
})

test('so is another kernel in the place of the surface’s or of the sewer’s', () => {
  const { grid, params } = smallTown()
  expect(() => createSurface(grid, params, { kernel: 'simd', wasm: sewerWasm() })).toThrow(
    expect.objectContaining({ code: 'surface.stale' }),
  )
  expect(() => createSewer(network([junction('A', 1), outfall('O', 0)], []), { wasm: simd().wasm })).toThrow(
    expect.objectContaining({ code: 'sewer.stale' }),
  )
})
