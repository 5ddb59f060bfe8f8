import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CatchmentSummary,
  DEFAULT_LAND_USE,
  DEFAULT_USER,
  LAND_USE_NODATA,
  type LuseConfig,
} from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { type CatchmentPackage, readCatchmentPackage } from './catchment-package.ts'
import { CatchmentNotFound } from './errors.ts'
import { insertLuseFile } from './luse-files.ts'
import './tables.ts'

export const REFERENCE_DESCRIPTION = 'Occupation des sols d’origine du bassin versant'

const catchmentsDir = (dataDir: string): string => join(dataDir, 'catchments')

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

/** Imported catchment packages, in `DATA_DIR/catchments`, each checked before it enters. */
export class CatchmentLibrary {
  readonly #db: Kysely<Database>
  readonly #dataDir: string
  readonly #loaded = new Map<string, { mtimeMs: number; package: Promise<CatchmentPackage> }>()

  constructor(db: Kysely<Database>, dataDir: string) {
    this.#db = db
    this.#dataDir = dataDir
  }

  async list(): Promise<Omit<CatchmentSummary, 'recentMsPerHour'>[]> {
    return (await this.#db.selectFrom('catchment').select('summary').orderBy('id').execute()).map(
      (r) => r.summary,
    )
  }

  /** The package, read once while its files stay the same. @throws CatchmentNotFound */
  async get(id: string): Promise<CatchmentPackage> {
    if (!/^[a-z][a-z0-9_-]*$/.test(id)) throw new CatchmentNotFound(id)
    const dir = join(catchmentsDir(this.#dataDir), id)
    const info = await stat(dir).catch(() => null)
    if (!info) throw new CatchmentNotFound(id)
    const loaded = this.#loaded.get(id)
    if (loaded?.mtimeMs === info.mtimeMs) return loaded.package
    const reading = readCatchmentPackage(dir)
    this.#loaded.set(id, { mtimeMs: info.mtimeMs, package: reading })
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
    const known = await this.#db
      .selectFrom('catchment')
      .select('hash')
      .where('id', '=', id)
      .executeTakeFirst()
    const target = join(catchmentsDir(this.#dataDir), id)
    if (known?.hash === hash && (await stat(target).catch(() => null)))
      return { package: found, outcome: 'known' }
    await mkdir(catchmentsDir(this.#dataDir), { recursive: true })
    const staging = join(catchmentsDir(this.#dataDir), `.${id}-${process.pid}`)
    await rm(staging, { recursive: true, force: true })
    await cp(dir, staging, { recursive: true })
    await rm(target, { recursive: true, force: true })
    await rename(staging, target)
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
}

async function hashOf(dir: string): Promise<string> {
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
