import fc from 'fast-check'
import { type Dataset, File, FS, type Group } from 'h5wasm'
import { expect, test } from 'vitest'
import { LONGLAT } from '../projection.ts'
import { ODIM_QUALITY_TASK, writeOdimComposite } from './composite-writer.ts'
import { readOdim } from './odim.ts'

const PLANES = [
  '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000 +x_0=0 +y_0=0',
  '+proj=lcc +lat_1=49.8 +lat_2=51.2 +lat_0=50.8 +lon_0=4.36 +x_0=649328 +y_0=665262 +ellps=GRS80',
  LONGLAT,
]

test('what is written is read back: rates, missing cells, place, time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PLANES),
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 2, max: 9 }),
      fc.infiniteStream(
        fc.oneof(fc.constant(0), fc.constant(Number.NaN), fc.float({ min: 0, max: 300, noNaN: true })),
      ),
      async (proj4, nrows, ncols, stream) => {
        const cell = proj4 === LONGLAT ? 0.01 : 1000
        const [left, bottom] = proj4 === LONGLAT ? [2, 48] : [600_000, 700_000]
        const geometry = {
          proj4,
          left,
          bottom,
          right: left + ncols * cell,
          top: bottom + nrows * cell,
          nrows,
          ncols,
        }
        const rateMmH = Float32Array.from({ length: nrows * ncols }, () => stream.next().value)
        const bytes = await writeOdimComposite({
          geometry,
          datetime: '2026-07-14T16:05:30.000Z',
          source: 'NOD:frpar',
          product: 'SURF',
          rateMmH,
          how: { task: 'essai', bias: 0.5 },
        })
        const read = await readOdim(bytes)
        expect(read).toMatchObject({
          object: 'COMP',
          quantity: 'RATE',
          nrows,
          ncols,
          datetime: '2026-07-14T16:05:30.000Z',
        })
        expect(read.rateMmH).toEqual(rateMmH)
        for (const edge of ['left', 'right', 'top', 'bottom'] as const)
          expect(Math.abs(read.geometry[edge] - geometry[edge])).toBeLessThan(cell / 1000)
      },
    ),
    { numRuns: 15 },
  )
})

test('the quality of the rain stands in a group of its own, as ODIM wants it', async () => {
  const geometry = { proj4: LONGLAT, left: 2, right: 2.2, bottom: 48, top: 48.3, nrows: 3, ncols: 2 }
  const bytes = await writeOdimComposite({
    geometry,
    datetime: '2026-07-14T16:05:30.000Z',
    source: 'NOD:frpar',
    product: 'SURF',
    rateMmH: Float32Array.of(1, 2, 3, 4, 5, Number.NaN),
    how: {},
    quality: Uint8Array.of(82, 0, 100, 50, 1, 255),
  })
  FS!.writeFile('/quality.h5', bytes)
  const file = new File('/quality.h5', 'r')
  const at = 'dataset1/data1/quality1'
  const what = (file.get(`${at}/what`) as Group).attrs
  expect([what.gain.value, what.offset.value, what.nodata.value]).toEqual([0.01, 0, 255])
  expect(what.quantity.value).toBe('QIND')
  expect((file.get(`${at}/how`) as Group).attrs.task.value).toBe(ODIM_QUALITY_TASK)
  const data = file.get(`${at}/data`) as Dataset
  expect([data.shape, Array.from(data.value as Uint8Array)]).toEqual([
    [3, 2],
    [82, 0, 100, 50, 1, 255],
  ])
  expect(data.attrs.CLASS.value).toBe('IMAGE')
  file.close()
  expect((await readOdim(bytes)).rateMmH[3]).toBe(4)
})

test('a field of another size is refused', () => {
  const geometry = { proj4: LONGLAT, left: 2, right: 3, bottom: 48, top: 49, nrows: 2, ncols: 2 }
  expect(() =>
    writeOdimComposite({
      geometry,
      datetime: '2026-01-01T00:00:00Z',
      source: 'X',
      product: 'SURF',
      rateMmH: new Float32Array(3),
      how: {},
    }),
  ).toThrow(RangeError)
})
