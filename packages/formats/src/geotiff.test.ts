import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    expect(found).toEqual(values)
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

  test('any size reads back, and the same input gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 140 }),
        async (ncols, nrows) => {
          const values = Float32Array.from({ length: ncols * nrows }, (_, i) => Math.fround(1 / (i + 1)))
          const input = { ...DPSRI, ncols, nrows, values }
          const bytes = writeGeoTiff(input)
          expect((await read(bytes)).values).toEqual(values)
          expect(writeGeoTiff(input)).toEqual(bytes)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a smooth field packs to less than half of its size', () => {
    const values = Float32Array.from({ length: 160_000 }, (_, i) => Math.sin(i / 4000))
    expect(writeGeoTiff({ ...DPSRI, values }).length).toBeLessThan(320_000)
  })

  test('values that do not fill the raster are an error of the caller', () => {
    expect(() => writeGeoTiff({ ...DPSRI, values: new Float32Array(3) })).toThrow(RangeError)
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
