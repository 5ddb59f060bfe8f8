import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CatchmentSummary,
  DEFAULT_LAND_USE,
  DEFAULT_USER,
  LAND_USE_NODATA,
  type LuseConfig,
} from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { catchmentFolder, type FileStore, openFileStore } from '../../store/file-store.ts'
import type { StorePlace } from '../../store/open-frame-store.ts'
import { CatchmentDamaged, CatchmentNotFound } from '../errors.ts'
import { insertLuseFile } from '../land-use/luse-files.ts'
import { type CatchmentPackage, readCatchmentPackage } from './catchment-package.ts'
import '../tables.ts'

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

/** Imported catchment packages, each checked before it enters. */
export class CatchmentLibrary {
  readonly #db: Kysely<Database>
  readonly #files: FileStore
  readonly #dataDir: string
  readonly #loaded = new Map<string, { hash: string; package: Promise<CatchmentPackage> }>()

  constructor(db: Kysely<Database>, place: StorePlace) {
    this.#db = db
    this.#files = openFileStore(place)
    this.#dataDir = place.dataDir
  }

  async list(): Promise<Omit<CatchmentSummary, 'recentMsPerHour'>[]> {
    return (await this.#db.selectFrom('catchment').select('summary').orderBy('id').execute()).map(
      (r) => r.summary,
    )
  }

  /** The package, read once until another is imported in its place. @throws CatchmentNotFound */
  async get(id: string): Promise<CatchmentPackage> {
    if (!/^[a-z][a-z0-9_-]*$/.test(id)) throw new CatchmentNotFound(id)
    const hash = await this.#hash(id)
    if (hash === undefined) throw new CatchmentNotFound(id)
    const loaded = this.#loaded.get(id)
    if (loaded?.hash === hash) return loaded.package
    const reading = this.#folder(id, hash).then(async (dir) => {
      if (dir === null) throw new CatchmentNotFound(id)
      if ((await hashOf(dir)) !== hash) throw new CatchmentDamaged(id)
      return readCatchmentPackage(dir)
    })
    this.#loaded.set(id, { hash, package: reading })
    reading.catch(() => this.#loaded.delete(id))
    return reading
  }

  /**
   * Checks a package, copies it in and makes its land use the catchment's reference file. The same package
   * again changes nothing.
   * @throws CatchmentPackageError with the list of what is wrong
   */
  async import(dir: string): Promise<{ package: CatchmentPackage; outcome: 'imported' | 'known' }> {
    const found = await readCatchmentPackage(dir)
    const { id } = found.catchment
    const hash = await hashOf(dir)
    if ((await this.#hash(id)) === hash && (await this.#folder(id, hash)) !== null)
      return { package: found, outcome: 'known' }
    const staging = join(this.#dataDir, 'staging', randomUUID())
    await mkdir(staging, { recursive: true })
    await cp(dir, staging, { recursive: true })
    await this.#files.putFolder(staging, catchmentFolder(id, hash))
    const summary = summaryOf(found)
    const { ncols, nrows } = found.landUse
    const codes = Int16Array.from(found.landUse.data, (v) => (Number.isNaN(v) ? LAND_USE_NODATA : v))
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('catchment')
        .values({ id, hash, summary: JSON.stringify(summary) as never })
        .onConflict((c) => c.column('id').doUpdateSet({ hash, summary: JSON.stringify(summary) as never }))
        .execute()
      await trx.updateTable('luse_file').set({ is_reference: false }).where('catchment_id', '=', id).execute()
      await insertLuseFile(trx, {
        catchmentId: id,
        username: DEFAULT_USER,
        description: REFERENCE_DESCRIPTION,
        configs: defaultConfigs(found.catchment.permanentWaterCode),
        codes,
        ncols,
        nrows,
        isReference: true,
      })
    })
    return { package: found, outcome: 'imported' }
  }

  async #hash(id: string): Promise<string | undefined> {
    const row = await this.#db.selectFrom('catchment').select('hash').where('id', '=', id).executeTakeFirst()
    return row?.hash
  }

  /** Until version 3.0.1 a package lay under its id alone. */
  async #folder(id: string, hash: string): Promise<string | null> {
    return (await this.#files.folder(catchmentFolder(id, hash))) ?? this.#files.folder(`catchments/${id}`)
  }
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

function summaryOf({ catchment, elevation }: CatchmentPackage): Omit<CatchmentSummary, 'recentMsPerHour'> {
  const none: [number, number] = [0, 0]
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
    corners: catchment.corners ?? { sw: none, se: none, ne: none, nw: none },
    permanentWaterCode: catchment.permanentWaterCode ?? null,
  }
}
