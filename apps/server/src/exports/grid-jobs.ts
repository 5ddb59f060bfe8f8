import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type GeotiffBody, RADX_VERSION, RadxError, type Site } from '@radx/contracts'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { decodeQualities, decodeRates } from '@radx/rainfall'
import type { Kysely } from 'kysely'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { type AdjustmentInput, adjustedCodes, adjustmentLines, prepareAdjustment } from '../gauges/api.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { adjustedStem, adjustmentProvenance } from './adjusted-selection.ts'
import { toLambert93 } from './lambert.ts'
import { writeNetcdf } from './netcdf.ts'
import { writeOdimZip } from './odim.ts'
import { hasQuality, provenance, readSelection } from './selection.ts'
import { writeZarr } from './zarr.ts'

export const GEOTIFF_JOB = 'exportgeotiff'
export const GRID_JOB = 'exportgrid'

export interface GridInput {
  product: string
  start: string
  end: string
  format: 'netcdf' | 'zarr' | 'odim'
  /** The product adjusted to gauges instead of the original. */
  adjusted?: AdjustmentInput | null
}

export type GeotiffInput = GeotiffBody & { adjusted?: AdjustmentInput | null }

const base = {
  perUser: 2,
  timeoutSeconds: 1_800,
  memoryMb: 1_500,
  visibility: 'owner' as const,
  keep: 'exports' as const,
}

/** One frame as GeoTIFF. The result is the file's name. */
export const geotiffJob: JobKind<GeotiffInput, string> = {
  ...base,
  name: GEOTIFF_JOB,
  radarPeriod: ({ date }) => ({ start: new Date(date), end: new Date(Date.parse(date) + 1) }),
  run: (context) => withStore(context, (parts) => geotiff(context, parts)),
}

/** A period as CF-netCDF4, Zarr v3 or ODIM composites. The result is the file's name. */
export const gridJob: JobKind<GridInput, string> = {
  ...base,
  name: GRID_JOB,
  radarPeriod: ({ start, end }) => ({ start: new Date(start), end: new Date(end) }),
  run: (context) => withStore(context, (parts) => grid(context, parts)),
}

/** What both kinds read. */
interface Parts {
  db: Kysely<Database>
  site: Site
  store: Store
}

async function withStore<I, R>({ config }: JobContext<I>, use: (parts: Parts) => Promise<R>): Promise<R> {
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  try {
    const { db } = database
    return await use({ db, site, store: await openStore({ db, config, site, catchments }) })
  } finally {
    await database.close()
  }
}

function productOf({ catalog }: Store, name: string): StoredProduct {
  const product = catalog.products.get(name)
  if (!product) throw new RadxError('export.product', 422, `Le produit « ${name} » n’existe pas.`)
  return product
}

async function geotiff(
  { input, outDir, progress }: JobContext<GeotiffInput>,
  { store, ...parts }: Parts,
): Promise<string> {
  const { index } = store
  const product = productOf(store, input.product)
  const timeMs = Date.parse(input.date)
  const [place] = await index.places(product, { startMs: timeMs, endMs: timeMs + 1 })
  if (!place)
    throw new RadxError(
      'export.noFrame',
      422,
      'Il n’y a pas d’image à cet instant. Choisissez une image de la liste.',
    )
  progress(0, 1, 'Lecture de l’image')
  const made = input.adjusted ? await prepareAdjustment({ store, ...parts }, input.adjusted, true) : null
  const { value: codes } = await (made
    ? adjustedCodes({ store, ...parts }, made, { startMs: timeMs, endMs: timeMs + 1 })
    : index.codes(product, [place])
  ).next()
  const { ul, lr } = product.bounds
  const known = (await index.qualityPlaces(product, { startMs: timeMs, endMs: timeMs + 1 })).get(timeMs)
  const quality = known ? decodeQualities(await index.quality(product, known)) : null
  // The store has no codes of a frame that is dry and has data all over.
  const values = codes ? decodeRates(codes) : new Float32Array(product.steps ** 2)
  const geographic = {
    ncols: product.steps,
    nrows: product.steps,
    values,
    left: ul.lng,
    top: ul.lat,
    cellWidth: (lr.lng - ul.lng) / product.steps,
    cellHeight: (ul.lat - lr.lat) / product.steps,
    crs: { kind: 'geographic', epsg: 4326 } as const,
    ...(quality && { second: { values: quality, description: 'rain quality, 0 to 1', unit: '1' } }),
  }
  const raster = input.epsg === 2154 ? toLambert93(geographic, product) : geographic
  const stamp = new Date(timeMs).toISOString().slice(0, 19).replace(/[-:]/g, '')
  const name = `${product.shortName}${adjustedStem(input.adjusted)}-${stamp}Z-${input.epsg}.tif`
  const bytes = writeGeoTiff({
    ...raster,
    nodata: -9999,
    metadata: {
      PRODUCT: product.shortName,
      TIME_UTC: new Date(timeMs).toISOString(),
      UNIT: 'mm/h',
      ...(made && {
        ADJUSTED: made.about.name,
        ADJUSTMENT_FACTOR: String(made.about.frames[0].factor),
        ADJUSTMENT: adjustmentLines(made.about)
          .map(([line, value]) => `${line} : ${value}`)
          .join(' | '),
      }),
      SOFTWARE: `RadX ${RADX_VERSION}`,
      EXPORTED_UTC: new Date().toISOString(),
    },
    band: { description: 'rain rate', unit: 'mm/h' },
  })
  await writeFile(join(outDir, name), bytes)
  progress(1, 1, 'Image écrite')
  return name
}

/** Their mean: what other programs, and radx adjust, know adjusted rain by. */
const meanOf = (frames: readonly { factor: number }[]): number =>
  frames.reduce((sum, { factor }) => sum + factor, 0) / Math.max(1, frames.length)

/** Factors of all frames stand in one attribute, which HDF5 bounds at 64 KB. */
const factorsOf = (factors: readonly number[]): string => factors.map((one) => one.toPrecision(4)).join(' ')

async function grid(context: JobContext<GridInput>, { store, ...parts }: Parts): Promise<string> {
  const { input, outDir, progress, signal } = context
  const product = productOf(store, input.product)
  const span = { startMs: Date.parse(input.start), endMs: Date.parse(input.end) }
  const selection = await readSelection(store, product, span, null)
  if (selection.frames.length === 0)
    throw new RadxError('export.empty', 422, 'L’archive n’a aucune image pour cette période.')
  const made = input.adjusted ? await prepareAdjustment({ store, ...parts }, input.adjusted, true) : null
  const about: [string, string | number][] = [
    ...provenance(selection, parts.site, new Date()),
    ...(made
      ? [
          ...adjustmentProvenance(made.about),
          ['gauge_adjustment_factor', meanOf(made.about.frames)] as [string, number],
          ['Facteurs des images', factorsOf(made.about.frames.map(({ factor }) => factor))] as [
            string,
            string,
          ],
        ]
      : []),
  ]
  const frames = made
    ? adjustedCodes({ store, ...parts }, made, span)
    : store.index.codes(product, selection.frames)
  // The store has no codes of a frame that is dry and has data all over.
  const dry = new Uint16Array(product.steps ** 2)
  const codes = async function* () {
    let k = 0
    for await (const frame of frames) {
      signal.throwIfAborted()
      if (k % 20 === 0) progress(k, selection.frames.length, `Image ${k + 1} sur ${selection.frames.length}`)
      k++
      yield frame ?? dry
    }
  }
  const known = await store.index.qualityPlaces(product, span)
  const qualities = async function* () {
    for (const { timeMs } of selection.frames) {
      const place = known.get(timeMs)
      yield place ? await store.index.quality(product, place) : null
    }
  }
  const someQuality = hasQuality(selection) ? qualities() : null
  const stem = `${product.shortName}${adjustedStem(input.adjusted)}-${[input.start, input.end].map((t) => new Date(t).toISOString().slice(0, 16).replace(/[-:]/g, '')).join('-')}`
  if (input.format === 'netcdf') {
    const name = `${stem}.nc`
    await writeFile(join(outDir, name), await writeNetcdf(selection, codes(), about, someQuality))
    return name
  }
  const name = `${stem}.${input.format}.zip`
  const file = createWriteStream(join(outDir, name))
  try {
    if (input.format === 'zarr') await writeZarr(selection, codes(), about, file, someQuality)
    else
      await writeOdimZip(
        {
          product,
          radar: parts.site.radar,
          timesMs: selection.frames.map(({ timeMs }) => timeMs),
          codes: codes(),
          qualities: qualities(),
          factors: made?.about.frames.map(({ factor }) => factor) ?? null,
        },
        file,
      )
    file.end()
    await finished(file)
  } finally {
    file.destroy()
  }
  return name
}
