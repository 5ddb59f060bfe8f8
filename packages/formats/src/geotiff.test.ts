import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { fromArrayBuffer, type GeoTIFFImage } from 'geotiff'
import { describe, expect, test } from 'vitest'
import { type GeoTiffInput, writeGeoTiff } from './geotiff.ts'

const DPSRI: Omit<GeoTiffInput, 'values'> = {
  ncols: 400,
  nrows: 400,
  left: 1.899286,
  top: 49.29013,
  cellWidth: (3.2779 - 1.899286) / 400,
  cellHeight: (49.29013 - 48.390853) / 400,
  crs: { kind: 'geographic', epsg: 4326 },
}
const field = (n: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => (i % 11 === 0 ? Number.NaN : 30 * Math.sin(i / 700) ** 2))

/** Where two rasters first differ, -1 where nowhere: what differs in a large one would take minutes to print. */
const firstOther = (found: Float32Array, values: Float32Array): number =>
  found.length === values.length ? found.findIndex((v, i) => !Object.is(v, values[i])) : found.length

/** Values of every field by its tag, read by TIFF 6.0: texts whole, numbers one by one; of the only directory. */
function directory(bytes: Buffer): Map<number, (number | string)[]> {
  const [only, ...others] = directories(bytes)
  expect(others).toEqual([])
  return only.fields
}

/** Every directory of a file, in their order. */
function directories(bytes: Buffer) {
  const found: { at: number; fields: Map<number, (number | string)[]> }[] = []
  for (let at = bytes.readUInt32LE(4); at !== 0; ) {
    found.push({ at, fields: fieldsAt(bytes, at) })
    at = bytes.readUInt32LE(at + 2 + 12 * bytes.readUInt16LE(at))
  }
  return found
}

function fieldsAt(bytes: Buffer, at: number): Map<number, (number | string)[]> {
  const count = bytes.readUInt16LE(at)
  return new Map(
    Array.from({ length: count }, (_, i): [number, (number | string)[]] => {
      const entry = at + 2 + 12 * i
      const [tag, type, n] = [
        bytes.readUInt16LE(entry),
        bytes.readUInt16LE(entry + 2),
        bytes.readUInt32LE(entry + 4),
      ]
      const size = { 2: 1, 3: 2, 4: 4, 12: 8 }[type]!
      const from = size * n <= 4 ? entry + 8 : bytes.readUInt32LE(entry + 8)
      expect(from % 2, 'values begin on a word').toBe(0)
      if (type === 2) return [tag, [bytes.toString('utf8', from, from + n)]]
      const values = Array.from({ length: n }, (_, k) =>
        type === 3
          ? bytes.readUInt16LE(from + 2 * k)
          : type === 4
            ? bytes.readUInt32LE(from + 4 * k)
            : bytes.readDoubleLE(from + 8 * k),
      )
      return [tag, values]
    }),
  )
}

async function read(bytes: Uint8Array): Promise<{ image: GeoTIFFImage; values: Float32Array }> {
  const copy = new Uint8Array(bytes)
  const tiff = await fromArrayBuffer(copy.buffer as ArrayBuffer)
  const image = await tiff.getImage()
  const [values] = (await image.readRasters()) as unknown as Float32Array[]
  return { image, values }
}

describe('GeoTIFF', () => {
  test('values, place and system read back by another library', async () => {
    const values = field(160_000)
    const { image, values: found } = await read(writeGeoTiff({ ...DPSRI, values }))
    expect(firstOther(found, values)).toBe(-1)
    expect(image.getGDALNoData()).toBeNaN()
    expect(image.getGeoKeys()).toMatchObject({
      GTModelTypeGeoKey: 2,
      GTRasterTypeGeoKey: 1,
      GeographicTypeGeoKey: 4326,
    })
    const [west, south, east, north] = image.getBoundingBox()
    for (const [is, should] of [
      [west, 1.899286],
      [south, 48.390853],
      [east, 3.2779],
      [north, 49.29013],
    ])
      expect(is).toBeCloseTo(should, 9)
  })

  test('a projected raster with a number for no data, and its metadata', async () => {
    const values = field(30)
    const bytes = writeGeoTiff({
      ncols: 5,
      nrows: 6,
      values,
      left: 676_000,
      top: 6_830_000,
      cellWidth: 10,
      cellHeight: 10,
      crs: { kind: 'projected', epsg: 2154 },
      nodata: -9999,
      metadata: { PRODUIT: 'hauteur d\'eau <max> & "essai"', DATE: '2024-01-01T00:00:00Z' },
      band: { description: 'Hauteur', unit: 'm' },
    })
    const { image, values: found } = await read(bytes)
    expect([...found]).toEqual([...values].map((v) => (Number.isNaN(v) ? -9999 : v)))
    expect(image.getGDALNoData()).toBe(-9999)
    expect(image.getGeoKeys()).toMatchObject({ GTModelTypeGeoKey: 1, ProjectedCSTypeGeoKey: 2154 })
    const metadata = (await image.getGDALMetadata(0)) as Record<string, string>
    expect(metadata).toMatchObject({ DESCRIPTION: 'Hauteur', UNITTYPE: 'm' })
  })

  test('two bands lie on the same cells, each with its name', async () => {
    const input = { ...DPSRI, ncols: 3, nrows: 70, nodata: -9999 }
    const values = Float32Array.from({ length: 210 }, (_, i) => i)
    const quality = values.map((value) => (value === 5 ? Number.NaN : value / 210))
    const bytes = writeGeoTiff({
      ...input,
      values,
      band: { description: 'rain rate' },
      second: { values: quality, description: 'rain quality' },
    })
    const { image } = await read(bytes)
    const bands = (await image.readRasters()) as unknown as Float32Array[]
    expect(bands.map((band) => [...band])).toEqual([
      [...values],
      [...quality].map((value) => (Number.isNaN(value) ? -9999 : value)),
    ])
    expect(await image.getGDALMetadata(1)).toMatchObject({ DESCRIPTION: 'rain quality' })
  })

  test('any size reads back, and the same input gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 140 }),
        async (ncols, nrows) => {
          const values = Float32Array.from({ length: ncols * nrows }, (_, i) => Math.fround(1 / (i + 1)))
          const input = { ...DPSRI, ncols, nrows, values }
          const bytes = writeGeoTiff(input)
          expect(firstOther((await read(bytes)).values, values)).toBe(-1)
          expect(Buffer.compare(writeGeoTiff(input), bytes)).toBe(0)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a smooth field packs to less than half of its size', () => {
    const values = Float32Array.from({ length: 160_000 }, (_, i) => Math.sin(i / 4000))
    expect(writeGeoTiff({ ...DPSRI, values }).length).toBeLessThan(320_000)
  })

  test('the directory is that of TIFF 6.0 and GeoTIFF 1.1, field by field', () => {
    const input: GeoTiffInput = {
      ncols: 3,
      nrows: 65,
      values: new Float32Array(195).fill(2),
      left: 676_000,
      top: 6_830_000,
      cellWidth: 10,
      cellHeight: 20,
      crs: { kind: 'projected', epsg: 2154 },
      nodata: -1,
    }
    const bytes = Buffer.from(writeGeoTiff(input))
    // Little-endian, version 42, first directory at 8.
    expect([bytes.toString('latin1', 0, 2), bytes.readUInt16LE(2), bytes.readUInt32LE(4)]).toEqual([
      'II',
      42,
      8,
    ])
    const fields = directory(bytes)
    const [offsets, sizes] = [fields.get(324)!, fields.get(325)!]
    expect([...fields]).toEqual([
      [256, [3]],
      [257, [65]],
      [258, [32]],
      [259, [8]],
      [262, [1]],
      [277, [1]],
      [284, [1]],
      [317, [3]],
      [322, [16]],
      [323, [80]],
      [324, offsets],
      [325, sizes],
      [339, [3]],
      [33550, [10, 20, 0]],
      [33922, [0, 0, 0, 676_000, 6_830_000, 0]],
      // Version 1, revision 1.0, four keys: projected, cells as areas, RGF93 / Lambert-93, metres.
      [34735, [1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 2154, 3076, 0, 1, 9001]],
      [42113, ['-1\0']],
    ])
    // One tile of 16 by 80, up to the end of the file.
    expect(+offsets[0] + +sizes[0]).toBe(bytes.length)
    const tile = inflateSync(bytes.subarray(+offsets[0]))
    expect(tile.length).toBe(16 * 80 * 4)
    // 2 is 0x40000000, -1 beside the raster 0xbf800000: their bytes by rank, each as the difference to the one before.
    const row = [0x40, 0, 0, 0x7f, ...Array(12).fill(0), 0x41, 0, 0, 0x80, ...Array(12).fill(0), 0x80]
    expect([...tile.subarray(64 * 64, 65 * 64)]).toEqual([...row, ...Array(64 - row.length).fill(0)])
    const beside = [0xbf, ...Array(15).fill(0), 0xc1, ...Array(15).fill(0), 0x80]
    expect([...tile.subarray(79 * 64)]).toEqual([...beside, ...Array(64 - beside.length).fill(0)])
    expect(writeGeoTiff({ ...input, crs: { kind: 'geographic', epsg: 4326 } })).toHaveLength(bytes.length - 8)
  })

  test.each([
    [1030, 40],
    [40, 1030],
  ])(
    '%i x %i cells are cloud optimised: tiles, overviews, directories before data, the smallest image first',
    async (ncols, nrows) => {
      const values = field(ncols * nrows)
      const second = { values: values.map((value) => value / 30) }
      const bytes = Buffer.from(writeGeoTiff({ ...DPSRI, ncols, nrows, values, second }))
      const found = directories(bytes)
      const of = (tag: number) => found.map(({ fields }) => fields.get(tag)?.map(Number) ?? [])
      const isWide = ncols > nrows
      const long = of(isWide ? 256 : 257)
      const short = of(isWide ? 257 : 256)
      expect([long.flat(), short.flat()]).toEqual([
        [1030, 515, 258],
        [40, 20, 10],
      ])
      expect([of(isWide ? 322 : 323).flat(), of(isWide ? 323 : 322).flat()]).toEqual([
        [512, 512, 272],
        [48, 32, 16],
      ])
      // Which of them is an overview, and the place of the one that is not.
      expect(of(254)).toEqual([[], [1], [1]])
      expect(found.map(({ fields }) => fields.has(34735))).toEqual([true, false, false])
      expect(found[0].at).toBe(8)
      const [whole, half, quarter] = of(324)
      expect([whole.length, half.length, quarter.length]).toEqual([2 * 3, 2 * 2, 2])
      const data = [...quarter, ...half, ...whole]
      expect(data).toEqual(data.toSorted((a, b) => a - b))
      expect(Math.max(...found.map(({ at }) => at))).toBeLessThan(data[0])
      const tiff = await fromArrayBuffer(new Uint8Array(bytes).buffer as ArrayBuffer)
      expect(await tiff.getImageCount()).toBe(3)
      for (const [k, step] of [1, 2, 4].entries()) {
        const image = await tiff.getImage(k)
        expect(image.isTiled).toBe(true)
        const bands = (await image.readRasters()) as unknown as Float32Array[]
        const [cols, rows] = [Math.ceil(ncols / step), Math.ceil(nrows / step)]
        const nearest = (all: Float32Array) =>
          Float32Array.from(
            { length: cols * rows },
            (_, i) => all[Math.floor(i / cols) * step * ncols + (i % cols) * step],
          )
        expect(firstOther(bands[0], nearest(values))).toBe(-1)
        expect(firstOther(bands[1], nearest(second.values))).toBe(-1)
      }
    },
  )

  test('metadata and the band are named in the file, in the order of the tags', () => {
    const text = (about: Partial<GeoTiffInput>) =>
      directory(
        Buffer.from(writeGeoTiff({ ...DPSRI, ncols: 2, nrows: 1, values: new Float32Array(2), ...about })),
      )
    const metadata = { 'A<': 'b & "c"', D: 'é' }
    const fields = text({ metadata, band: { description: 'Pluie', unit: 'mm/h' } })
    expect([...fields.keys()].slice(-3)).toEqual([34735, 42112, 42113])
    expect(fields.get(42113)).toEqual(['nan\0'])
    expect(fields.get(42112)).toEqual([
      `<GDALMetadata>
  <Item name="A&lt;">b &amp; &quot;c&quot;</Item>
  <Item name="D">é</Item>
  <Item name="DESCRIPTION" sample="0" role="description">Pluie</Item>
  <Item name="UNITTYPE" sample="0" role="unittype">mm/h</Item>
</GDALMetadata>
\0`,
    ])
    expect(text({ band: { unit: 'm' } }).get(42112)).toEqual([
      '<GDALMetadata>\n  <Item name="UNITTYPE" sample="0" role="unittype">m</Item>\n</GDALMetadata>\n\0',
    ])
    expect(text({}).has(42112)).toBe(false)
    expect(text({ metadata: {}, band: {} }).has(42112)).toBe(false)
  })

  test.each(['abc', 'abcd'])('texts of an odd or even length end in their own zero: %s', (unit) => {
    const values = new Float32Array(2)
    const input = { ...DPSRI, ncols: 2, nrows: 1, values, nodata: -9999, band: { unit } }
    const fields = directory(Buffer.from(writeGeoTiff(input)))
    const item = `<Item name="UNITTYPE" sample="0" role="unittype">${unit}</Item>`
    expect(fields.get(42112)).toEqual([`<GDALMetadata>\n  ${item}\n</GDALMetadata>\n\0`])
    expect(fields.get(42113)).toEqual(['-9999\0'])
  })

  test('values that do not fill the raster are an error of the caller', () => {
    const wrong = { ...DPSRI, values: new Float32Array(3) }
    expect(() => writeGeoTiff(wrong)).toThrow(new RangeError('values holds 3 numbers, not 400 x 400'))
    const empty = { ...DPSRI, ncols: 0, values: new Float32Array(0) }
    expect(() => writeGeoTiff(empty)).toThrow(new RangeError('values holds 0 numbers, not 400 x 0'))
  })
})

function gdalinfo(): boolean {
  try {
    execFileSync('gdalinfo', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!gdalinfo())('GDAL, where it is installed', () => {
  test.each([
    [{ kind: 'geographic', epsg: 4326 }, '4326'],
    [{ kind: 'projected', epsg: 2154 }, '2154'],
  ] as const)('reads %o without a warning', (crs, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'radx-geotiff-'))
    try {
      const path = join(folder, 'a.tif')
      const metadata = { DATE: '2024-01-01T00:00:00Z' }
      writeFileSync(
        path,
        writeGeoTiff({ ...DPSRI, values: field(160_000), crs, metadata, band: { unit: 'mm/h' } }),
      )
      const text = execFileSync('gdalinfo', ['-json', '-stats', path], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const info = JSON.parse(text)
      expect(info.size).toEqual([400, 400])
      expect(info.coordinateSystem.wkt).toContain(`ID["EPSG",${code}]`)
      expect(info.bands[0]).toMatchObject({ type: 'Float32', noDataValue: 'NaN', unit: 'mm/h' })
      expect(info.bands[0].maximum).toBeCloseTo(30, 1)
      expect(info.metadata[''].DATE).toBe('2024-01-01T00:00:00Z')
      expect(info.geoTransform[0]).toBeCloseTo(1.899286, 9)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
