import { expect, test } from 'vitest'
import { readRecords, writeRecord } from './records.ts'
import { createSurface } from './surface/surface.ts'
import { sewerWasm } from './testing/kernels.ts'
import { smallTown } from './testing/town.ts'

const RECORDS = { Pair: { first: 'f64', second: 'i32' }, Other: { address: 'usize' } } as const
const global = (value: number) => new WebAssembly.Global({ value: 'i32', mutable: false }, value)
const kernel = () => ({
  'Pair.first:f64': global(8),
  'Pair.second:i32': global(16),
  Pair: global(24),
  'Other.address:usize': global(0),
  Other: global(4),
  step: () => 0,
})
const stale = expect.objectContaining({
  code: 'kernel.stale',
  message: expect.stringMatching(/npm start.*node tools\/build\.ts kernels/),
})
const read = (exports: object) => readRecords(exports as WebAssembly.Exports, RECORDS, 'kernel.stale')

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

test('so is another kernel in the place of the surface’s', () => {
  const { grid, params } = smallTown()
  expect(() => createSurface(grid, params, { kernel: 'simd', wasm: sewerWasm() })).toThrow(
    expect.objectContaining({ code: 'surface.stale' }),
  )
})
