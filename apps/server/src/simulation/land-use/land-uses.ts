import { DEFAULT_USER, type LuseComparison, type LuseData, type LuseFile } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { LuseFileNotFound, type Reader } from '../../http/catchment-rights.ts'
import type { Place } from '../../http/page.ts'
import type { JobUser } from '../../jobs/api.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import type { PaintedLand } from '../catchment/town.ts'
import {
  CatchmentVersionGone,
  ForeignLandUse,
  LandUseInUse,
  ReferenceLandUse,
  SimulationFormError,
} from '../errors.ts'
import { runsOn } from '../kept.ts'
import {
  codesOf,
  findLuseFile,
  type ListedLuse,
  listLuseFiles,
  luseFile,
  luseText,
  ownLandUse,
  referenceFile,
  toRows,
} from './luse-files.ts'
import { withMarket } from './market.ts'

/** Land-use files of catchments, as the editor and the comparison ask for them. */
export class LandUses {
  private readonly db: Kysely<Database>
  private readonly library: CatchmentLibrary

  constructor(db: Kysely<Database>, library: CatchmentLibrary) {
    this.db = db
    this.library = library
  }

  files(catchmentId: string, after: Place | null, limit: number): Promise<ListedLuse[]> {
    return listLuseFiles(this.db, catchmentId, after, limit)
  }

  /** Deletes a file of the user's, or anybody's for a manager, that no run was made on. */
  async remove(id: string, user: JobUser): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const file = await findLuseFile(trx, id)
      if (file.is_reference || file.username === DEFAULT_USER) throw new ReferenceLandUse()
      if (file.username !== user.name && !user.isManager) throw new ForeignLandUse()
      const runs = await runsOn(trx, id)
      if (runs > 0) throw new LandUseInUse(runs)
      await trx.deleteFrom('luse_file').where('id', '=', id).execute()
    })
  }

  async file(id: string): Promise<LuseFile> {
    return luseFile(this.db, id)
  }

  async text(id: string): Promise<string> {
    const file = await findLuseFile(this.db, id)
    return luseText(await codesOf(file), await this.library.version(file.catchment_id, file.catchment_hash))
  }

  async jpeg(id: string): Promise<Buffer> {
    return (await findLuseFile(this.db, id)).image_jpeg
  }

  async data(id: string, wants: { elevation: boolean; allCodes: boolean }): Promise<LuseData> {
    const file = await findLuseFile(this.db, id)
    const { elevation, landUse, catchment } = await this.library.version(
      file.catchment_id,
      file.catchment_hash,
    )
    const codes = await codesOf(file)
    return {
      data: toRows(codes, landUse.ncols),
      cellSizeM: landUse.cellSize,
      ...(wants.elevation
        ? {
            elevation: toRows(elevation.data, elevation.ncols, (z) =>
              Number.isNaN(z) ? -9999 : Math.round(z * 100) / 100,
            ),
          }
        : {}),
      ...(wants.allCodes ? { codes: withMarket(file.configs, catchment.permanentWaterCode) } : {}),
    }
  }

  /**
   * A catchment with a land use on it: a file's, on the version that it belongs to, or the catchment's own.
   * @throws CatchmentNotFound, CatchmentVersionGone, LuseFileNotFound also for a file of another catchment
   */
  async painted(
    catchmentId: string,
    luseId: string | undefined,
  ): Promise<{ catchment: CatchmentPackage; land: PaintedLand }> {
    const { catchment, file } = await this.ground(catchmentId, luseId)
    return { catchment, land: { codes: await codesOf(file), configs: file.configs } }
  }

  /** The same with the land use as it is kept. @throws LuseFileNotFound, CatchmentNotFound, CatchmentVersionGone */
  async ground(catchmentId: string, luseId: string | undefined) {
    const file = await (luseId === undefined
      ? referenceFile(this.db, catchmentId)
      : findLuseFile(this.db, luseId))
    if (file.catchment_id !== catchmentId) throw new LuseFileNotFound(luseId ?? catchmentId)
    return { catchment: await this.library.version(catchmentId, file.catchment_hash), file }
  }

  /** JSON text of the grid of a case study's cells that may be edited. @throws CatchmentNotFound */
  async mask(caseStudyId: string, reader: Reader): Promise<string> {
    for (const { id } of await this.library.list(reader)) {
      const { masks, landUse } = await this.library.get(id)
      const mask = masks.get(caseStudyId)
      if (mask) return JSON.stringify(toRows(mask, landUse.ncols))
    }
    throw new SimulationFormError(
      'caseStudyId',
      `Le cas d’étude « ${caseStudyId.slice(0, 60)} » n’existe pas.`,
    )
  }

  async compare(catchmentId: string, luseId: string, caseStudyId: string): Promise<LuseComparison> {
    const file = await findLuseFile(this.db, luseId)
    if (file.catchment_id !== catchmentId) throw new LuseFileNotFound(luseId)
    // With the land use of its own version: another one may have another grid.
    const reference =
      (await ownLandUse(this.db, catchmentId, file.catchment_hash)) ??
      (file.catchment_hash === null ? await referenceFile(this.db, catchmentId) : null)
    if (reference === null) throw new CatchmentVersionGone(catchmentId)
    const { masks, landUse } = await this.library.version(catchmentId, file.catchment_hash)
    const mask = masks.get(caseStudyId) ?? null
    const [after, before] = await Promise.all([codesOf(file), codesOf(reference)])
    const table = new Map([...reference.configs, ...file.configs].map((config) => [config.code, config]))
    const used = [...new Set([...before, ...after])].filter((code) => code > 0).sort((a, b) => a - b)
    const place = new Map(used.map((code, k) => [code, k]))
    const chords = used.map(() => used.map(() => 0))
    const sourceOfLands = used.map(() => 0)
    for (let i = 0; i < before.length; i++) {
      const [from, to] = [place.get(before[i]), place.get(after[i])]
      if (from === undefined || to === undefined || (mask && mask[i] !== 1)) continue
      chords[from][to]++
      sourceOfLands[from]++
    }
    const landCodes = used.map((code) => ({
      code,
      title: table.get(code)?.title ?? String(code),
      color: table.get(code)?.color ?? '#9ca3af',
    }))
    return { chords, sourceOfLands, landCodes, cellSizeM: landUse.cellSize }
  }
}
