import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CatchmentSummary,
  DEFAULT_LAND_USE,
  DEFAULT_USER,
  LAND_USE_NODATA,
  type LandUseClass,
  type LuseConfig,
  RadxError,
} from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { CatchmentNotFound, type Reader, seenBy, valuesOf } from '../../http/catchment-rights.ts'
import { catchmentFolder, type FileStore, openFileStore } from '../../store/file-store.ts'
import type { StorePlace } from '../../store/open-frame-store.ts'
import { CatchmentDamaged, CatchmentIdTaken, CatchmentVersionGone } from '../errors.ts'
import { insertLuseFile, ownLandUse, versionsOf } from '../land-use/luse-files.ts'
import { type CatchmentPackage, readCatchmentPackage } from './catchment-package.ts'
import { placeOf } from './grid-place.ts'
import '../tables.ts'

export type CatchmentFacts = Omit<CatchmentSummary, 'recentMsPerHour' | 'expectedMsPerHour'>

/** Packages that stay in memory, and in that of each thread that makes answers. */
const KEPT_PACKAGES = 6
const KEPT_BY_THREAD = 2
const REFERENCE_DESCRIPTION = 'Occupation des sols d’origine du bassin versant'

/** Default table as the form carries it; a code that the catchment declares open water says so. */
export function defaultConfigs(permanentWaterCode?: number): LuseConfig[] {
  return DEFAULT_LAND_USE.map((entry) => ({
    ...entry,
    ...(entry.code === permanentWaterCode
      ? {
          title: 'Eau',
          color: '#7fb6e0',
          desc: 'Plans d’eau permanents',
          descFull:
            'Fleuve, rivières et plans d’eau : la pluie et le ruissellement qui y arrivent quittent le bassin.',
        }
      : {}),
    id: String(entry.code),
    isSelected: true,
  }))
}

/** The default table with the measures of a package. */
function withOwnMeasures(configs: LuseConfig[], classes: readonly LandUseClass[]): LuseConfig[] {
  const own = new Map(classes.filter(({ measure }) => measure).map((entry) => [entry.code, entry]))
  return [
    ...configs.map((config) => ({ ...config, ...own.get(config.code) })),
    ...[...own.values()]
      .filter(({ code }) => !configs.some((config) => config.code === code))
      .map((entry) => ({ ...entry, id: String(entry.code), isSelected: true })),
  ]
}

const libraries = new WeakMap<Kysely<Database>, CatchmentLibrary>()

/** The library of a thread that makes answers: packages that it has read stay with it from one answer to the next. */
export function threadLibrary(db: Kysely<Database>, place: StorePlace): CatchmentLibrary {
  const library = libraries.get(db) ?? new CatchmentLibrary(db, place, KEPT_BY_THREAD)
  libraries.set(db, library)
  return library
}

/** Imported catchment packages, each checked before it enters. */
export class CatchmentLibrary {
  private readonly db: Kysely<Database>
  private readonly files: FileStore
  private readonly dataDir: string
  private readonly most: number
  /** By id and hash, the one that was asked for last at the end. */
  private readonly loaded = new Map<string, Promise<CatchmentPackage>>()

  /** @param most packages that it keeps */
  constructor(db: Kysely<Database>, place: StorePlace, most = KEPT_PACKAGES) {
    this.db = db
    this.most = most
    this.files = openFileStore(place)
    this.dataDir = place.dataDir
  }

  /** Catchments that can be run, those of the site first, by id. @param reader who is shown what is the site's, theirs or shared with them; everything without */
  async list(reader?: Reader): Promise<CatchmentFacts[]> {
    let query = this.db.selectFrom('catchment').select('summary').where('deleted_at', 'is', null)
    if (reader) query = query.where(seenBy(valuesOf(reader), sql`catchment.id`))
    return (await query.orderBy(sql`username is not null`).orderBy('id').execute()).map(
      ({ summary }) => summary,
    )
  }

  /** The current version's package. @throws CatchmentNotFound, CatchmentDamaged */
  async get(id: string): Promise<CatchmentPackage> {
    if (!/^[a-z][a-z0-9_-]*$/.test(id)) throw new CatchmentNotFound(id)
    const hash = await this.hash(id)
    if (hash === undefined) throw new CatchmentNotFound(id)
    return this.read(id, hash, true)
  }

  /** Hash of the current version; undefined without the catchment. */
  current(id: string): Promise<string | undefined> {
    return this.hash(id)
  }

  /**
   * The package of the version that a land use, and a run on it, belongs to. Of a land use that is not here, and of one
   * from before there were versions, the current one.
   * @throws CatchmentNotFound, CatchmentVersionGone, CatchmentDamaged
   */
  async ofLandUse(luseId: string, catchmentId: string): Promise<CatchmentPackage> {
    const hash = (await versionsOf(this.db, [luseId])).get(luseId) ?? null
    return hash === null ? this.get(catchmentId) : this.version(catchmentId, hash)
  }

  /** @param hash null for the current version @throws CatchmentNotFound, CatchmentVersionGone, CatchmentDamaged */
  async version(id: string, hash: string | null): Promise<CatchmentPackage> {
    if (hash === null) return this.get(id)
    return this.read(id, hash, hash === (await this.hash(id)))
  }

  /** Reads a version's package once, and keeps the last few. */
  private read(id: string, hash: string, isCurrent: boolean): Promise<CatchmentPackage> {
    const key = `${id} ${hash}`
    const loaded = this.loaded.get(key)
    this.loaded.delete(key)
    const reading =
      loaded ??
      this.folder(id, hash, isCurrent).then(async (dir) => {
        if (dir === null) throw isCurrent ? new CatchmentNotFound(id) : new CatchmentVersionGone(id)
        if ((await hashOf(dir)) !== hash) throw new CatchmentDamaged(id)
        const found = await readCatchmentPackage(dir)
        return { ...found, catchment: { ...found.catchment, id } }
      })
    this.loaded.set(key, reading)
    if (loaded === undefined) reading.catch(() => this.loaded.delete(key))
    const [oldest] = this.loaded.keys()
    if (this.loaded.size > this.most) this.loaded.delete(oldest)
    return reading
  }

  /**
   * Checks a package, copies it in and makes its land use the catchment's reference file. The same package again
   * changes nothing; another one of the same id is a new version, beside which the old ones stay with their land uses
   * and runs.
   * @param name what messages call it; its folder unless told
   * @throws CatchmentPackageError with the list of what is wrong
   */
  async import(
    dir: string,
    name?: string,
  ): Promise<{ package: CatchmentPackage; outcome: 'imported' | 'known' }> {
    const found = await readCatchmentPackage(dir, name)
    const { id } = found.catchment
    const hash = await hashOf(dir)
    if ((await this.hash(id)) === hash && (await this.folder(id, hash, true)) !== null)
      return { package: found, outcome: 'known' }
    const kept = await this.db
      .selectFrom('catchment')
      .select('username')
      .where('id', '=', id)
      .executeTakeFirst()
    if (kept && kept.username !== null) throw new CatchmentIdTaken(id)
    const staging = join(this.dataDir, 'staging', randomUUID())
    await mkdir(staging, { recursive: true })
    await cp(dir, staging, { recursive: true })
    await this.files.putFolder(staging, catchmentFolder(id, hash))
    await this.db.transaction().execute((trx) => insertVersion(trx, found, { id, hash, bytes: 0 }))
    return { package: found, outcome: 'imported' }
  }

  private async hash(id: string): Promise<string | undefined> {
    const row = await this.db.selectFrom('catchment').select('hash').where('id', '=', id).executeTakeFirst()
    return row?.hash
  }

  /** Until version 3.0.1 a package lay under its id alone, and there was one. */
  private async folder(id: string, hash: string, isCurrent: boolean): Promise<string | null> {
    if (hash === '') return null
    const dir = await this.files.folder(catchmentFolder(id, hash))
    return dir ?? (isCurrent ? this.files.folder(`catchments/${id}`) : null)
  }
}

export interface NewVersion {
  /** Of the catchment, whose row it is, or becomes. */
  id: string
  hash: string
  bytes: number
  /** Of an account's: whose it is, what its package calls it, and what its owner does. */
  own?: { username: string; package_id: string; name: string }
}

/** Makes a package that was checked the current version of a catchment, with its land use as the reference. */
export async function insertVersion(
  trx: Kysely<Database>,
  found: CatchmentPackage,
  { id, hash, bytes, own }: NewVersion,
): Promise<void> {
  const about = { ...summaryOf(found), id, ...(own && { display: own.name }) }
  const summary = JSON.stringify(about) as never
  await trx
    .insertInto('catchment')
    .values({ id, hash, summary, ...own, ...(own && { sharing: 'private' }) })
    .onConflict((c) => c.column('id').doUpdateSet({ hash, summary, ...own }))
    .execute()
  await trx
    .insertInto('catchment_version')
    .values({ catchment_id: id, hash, summary, bytes })
    .onConflict((c) => c.doNothing())
    .execute()
  await trx.updateTable('luse_file').set({ is_reference: false }).where('catchment_id', '=', id).execute()
  // A version that comes back has its own already.
  const landUse = await ownLandUse(trx, id, hash)
  if (landUse) {
    await trx.updateTable('luse_file').set({ is_reference: true }).where('id', '=', landUse.id).execute()
    return
  }
  const { ncols, nrows, data } = found.landUse
  await insertLuseFile(trx, {
    catchmentId: id,
    catchmentHash: hash,
    username: DEFAULT_USER,
    description: REFERENCE_DESCRIPTION,
    configs: withOwnMeasures(defaultConfigs(found.catchment.permanentWaterCode), found.classes),
    codes: Int16Array.from(data, (v) => (Number.isNaN(v) ? LAND_USE_NODATA : v)),
    ncols,
    nrows,
    isReference: true,
  })
}

/** SHA-256 of the names and contents of a package's files. */
export async function hashOf(dir: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(dir)).sort()) {
    const path = join(dir, name)
    if (!(await stat(path)).isFile()) continue
    hash.update(name).update(await readFile(path))
  }
  return hash.digest('hex')
}

const NOWHERE: [number, number] = [0, 0]

/** Corners of a package that does not give them; all zeros where its system of coordinates is not known. */
function cornersOf(grid: CatchmentPackage['elevation'], crs: string): CatchmentSummary['corners'] {
  try {
    return placeOf(grid, crs).corners
  } catch (error) {
    if (!(error instanceof RadxError)) throw error
    return { sw: NOWHERE, se: NOWHERE, ne: NOWHERE, nw: NOWHERE }
  }
}

function summaryOf({ catchment, elevation }: CatchmentPackage): CatchmentFacts {
  return {
    id: catchment.id,
    display: catchment.display,
    cellSizeM: elevation.cellSize,
    ncols: elevation.ncols,
    nrows: elevation.nrows,
    activeCells: elevation.data.reduce((n: number, z: number) => n + (Number.isNaN(z) ? 0 : 1), 0),
    synthetic: (catchment as { synthetic?: unknown }).synthetic === true,
    statement: catchment.statement ?? '',
    attribution: catchment.attribution ?? '',
    caseStudies: catchment.caseStudies.map(({ id, display }) => ({ id, display })),
    corners: catchment.corners ?? cornersOf(elevation, catchment.crs),
    permanentWaterCode: catchment.permanentWaterCode ?? null,
  }
}
