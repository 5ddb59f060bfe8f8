import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type CatchmentSummary,
  type ComparableSimulation,
  DEFAULT_USER,
  type DepthFrames,
  type FloodCourse,
  type Job,
  type LuseComparison,
  type LuseData,
  type LuseFile,
  type NetworkNode,
  type NodePath,
  type OutputPart,
  type SimulationInput,
  type SimulationListItem,
  type SimulationOutput,
} from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { BadRequest } from '../http/errors.ts'
import { JobNotFound } from '../jobs/errors.ts'
import type { JobRow } from '../jobs/queries.ts'
import type { JobUser } from '../jobs/queue.ts'
import { jobOutput } from '../jobs/worker.ts'
import { type FileStore, openFileStore } from '../store/file-store.ts'
import { storeOf } from '../store/open-store.ts'
import type { CatchmentPackage } from './catchment-package.ts'
import { readCourse } from './course.ts'
import { readFrameIndex, readFrames } from './depth-frames.ts'
import { OutputMissing, ReadOnlySimulation, SimulationFormError, StaleNotes } from './errors.ts'
import { completeForm, parseForm } from './form.ts'
import { placeOf } from './grid-place.ts'
import { CatchmentLibrary, defaultConfigs } from './library.ts'
import {
  codesOf,
  findLuseFile,
  insertLuseFile,
  type LuseRow,
  listLuseFiles,
  luseText,
  referenceFile,
  toLuseFile,
  toRows,
} from './luse-files.ts'
import { checkSameGrid, type MaxDepth, readMaxDepth } from './max-depth.ts'
import { MULTIHYDRO, type MultihydroResult } from './multihydro.ts'
import { nodesOf, shortestPath } from './network.ts'
import { isOutputName, listOutputs, readOutput, readPath } from './output-files.ts'
import { changedProperties, checkConfigs, paint } from './paint.ts'

const RECENT_RUNS = 5

/** Everything that the simulation screens ask for. */
export class Simulations {
  readonly library: CatchmentLibrary
  readonly #deps: Deps
  readonly #db: Kysely<Database>
  readonly #files: FileStore

  constructor(deps: Deps) {
    this.#deps = deps
    this.#db = deps.db
    this.#files = openFileStore(deps.config)
    this.library = new CatchmentLibrary(deps.db, deps.config)
  }

  async catchments(): Promise<CatchmentSummary[]> {
    const summaries = await this.library.list()
    return Promise.all(
      summaries.map(async (summary) => ({ ...summary, recentMsPerHour: await this.#recent(summary.id) })),
    )
  }

  /** Computation time of the last runs on this installation, ms a simulated hour. */
  async #recent(catchmentId: string): Promise<number[]> {
    const { rows } = await sql<{ ms: number }>`
      select (result #>> '{run,wallSeconds}')::float8 * 3600000 / nullif((result #>> '{run,simulatedSeconds}')::float8, 0) as ms
      from job where kind = ${MULTIHYDRO} and status = 'done' and input ->> 'catchmentId' = ${catchmentId}
      order by finished_at desc limit ${RECENT_RUNS}`.execute(this.#db)
    return rows.map(({ ms }) => ms).filter((ms) => ms > 0)
  }

  async list(): Promise<SimulationListItem[]> {
    const rows = await this.#db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', MULTIHYDRO)
      .orderBy('created_at', 'desc')
      .execute()
    return rows.map(toListItem)
  }

  /**
   * Checks the whole form, keeps a painted land use as a file of its own and submits the run.
   * `allowPeriod` holds radar rain against the account's dates.
   */
  async submit(
    fields: ReadonlyMap<string, string>,
    user: JobUser,
    allowPeriod: (start: Date, end: Date) => void,
  ): Promise<Job> {
    const input = parseForm(completeForm(fields))
    const catchment = await this.#catchmentOf(input)
    const source = await this.#sourceFile(input)
    checkConfigs(input.luseConfigs)
    if (!user.isManager && changedProperties(input.luseConfigs, source.configs))
      throw new SimulationFormError(
        'luseConfigs',
        'Seuls les gestionnaires peuvent modifier les propriétés des codes.',
      )
    await this.#checkRain(input, fields.get('product') ?? null, allowPeriod)
    const luseId = await this.#landUse(input, source, catchment, user)
    const complete: SimulationInput = {
      ...input,
      catchmentDisplay: catchment.catchment.display,
      luseId,
      luseIdSource: source.id,
      product:
        input.rainfallSelection === 'radar'
          ? (fields.get('product') ?? this.#deps.site.defaultProduct)
          : input.product,
    }
    return this.#deps.jobs.queue().submit(MULTIHYDRO, complete, user)
  }

  async #catchmentOf(input: SimulationInput): Promise<CatchmentPackage> {
    const known = await this.library.list()
    if (!known.some(({ id }) => id === input.catchmentId))
      throw new SimulationFormError('catchmentId', `Le bassin versant « ${input.catchmentId} » n’existe pas.`)
    const found = await this.library.get(input.catchmentId)
    if (input.caseStudyId !== '' && !found.masks.has(input.caseStudyId))
      throw new SimulationFormError(
        'caseStudyId',
        `Ce bassin n’a pas de cas d’étude « ${input.caseStudyId} ».`,
      )
    return found
  }

  async #sourceFile(input: SimulationInput): Promise<LuseRow> {
    const id = input.luseIdSource || input.luseId
    const file = /^[0-9a-f-]{36}$/.test(id) ? await findLuseFile(this.#db, id).catch(() => null) : null
    if (!file || file.catchment_id !== input.catchmentId)
      throw new SimulationFormError('luseId', 'Choisissez une carte d’occupation des sols de ce bassin.')
    return file
  }

  async #checkRain(
    input: SimulationInput,
    productName: string | null,
    allowPeriod: (start: Date, end: Date) => void,
  ): Promise<void> {
    if (input.rainfallSelection === 'virtual') return
    const [start, end] = [new Date(input.rainfallStart), new Date(input.rainfallEnd)]
    allowPeriod(start, end)
    const { archive, catalog } = await storeOf(this.#deps)
    const name = input.product ?? productName ?? this.#deps.site.defaultProduct
    const product = catalog.products.get(name)
    if (!product) throw new SimulationFormError('product', `Le produit radar « ${name} » n’existe pas.`)
    const frames = await archive.count(product, { startMs: start.getTime(), endMs: end.getTime() })
    if (frames === 0)
      throw new SimulationFormError(
        'rainfallStart',
        'L’archive n’a aucune image radar pour cette période. Choisissez-en une autre.',
      )
  }

  /** The file of the run: the source itself, or a new one when something was painted or the table changed. */
  async #landUse(
    input: SimulationInput,
    source: LuseRow,
    catchment: CatchmentPackage,
    user: JobUser,
  ): Promise<string> {
    // Deeply: the database keeps the keys of its documents in an order of its own.
    const sameTable = isDeepStrictEqual(input.luseConfigs, source.configs)
    if (input.luseUpdates.length === 0 && sameTable) return source.id
    const { ncols, nrows } = catchment.landUse
    const mask = input.caseStudyId === '' ? null : (catchment.masks.get(input.caseStudyId) ?? null)
    const codes = paint(input.luseUpdates, {
      codes: await codesOf(source),
      ncols,
      nrows,
      configs: input.luseConfigs,
      mask,
    })
    const known = new Set(input.luseConfigs.map(({ code }) => code))
    const missing = codes.find((code) => code > 0 && !known.has(code))
    if (missing !== undefined)
      throw new SimulationFormError(
        'luseConfigs',
        `Le code ${missing} est sur la carte mais pas dans la table.`,
      )
    return insertLuseFile(this.#db, {
      catchmentId: input.catchmentId,
      username: user.name,
      description: input.luseDesc,
      configs: input.luseConfigs,
      codes,
      ncols,
      nrows,
    })
  }

  /** A run's row. @throws JobNotFound */
  async run(id: string): Promise<JobRow> {
    const row = await this.#db
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', MULTIHYDRO)
      .executeTakeFirst()
    if (!row) throw new JobNotFound(id)
    return row
  }

  async rename(id: string, title: string, user: JobUser): Promise<void> {
    this.#writable(await this.run(id), user)
    const trimmed = title.trim()
    if (trimmed === '') throw new SimulationFormError('title', 'Ce champ est requis')
    if (trimmed.length > 200)
      throw new SimulationFormError('title', 'Le titre ne peut dépasser 200 caractères.')
    await sql`update job set input = jsonb_set(input, '{title}', to_jsonb(${trimmed}::text)) where id = ${id}`.execute(
      this.#db,
    )
  }

  async comment(id: string): Promise<string> {
    await this.run(id)
    const row = await this.#db
      .selectFrom('simulation_note')
      .select('comment')
      .where('job_id', '=', id)
      .executeTakeFirst()
    return row?.comment ?? ''
  }

  /**
   * @param before the notes that these were made from; they are refused when others are stored by now. null overwrites
   * @throws StaleNotes
   */
  async setComment(id: string, comment: string, before: string | null, user: JobUser): Promise<void> {
    this.#writable(await this.run(id), user)
    if (comment.length > 20_000)
      throw new SimulationFormError('comment', 'Les notes ne peuvent dépasser 20 000 caractères.')
    const written = await this.#db
      .insertInto('simulation_note')
      .values({ job_id: id, comment })
      .onConflict((c) => {
        const update = c.column('job_id').doUpdateSet({ comment })
        // The same text twice is an answer that got lost, not a quarrel.
        return before === null ? update : update.where('simulation_note.comment', 'in', [before, comment])
      })
      .returning('job_id')
      .executeTakeFirst()
    if (!written) throw new StaleNotes()
  }

  #writable(row: JobRow, user: JobUser): void {
    if (row.username === DEFAULT_USER) throw new ReadOnlySimulation()
    if (row.username !== user.name && !user.isManager) throw new ReadOnlySimulation()
  }

  /** Finished runs on the same catchment with the same rain. */
  async similar(id: string): Promise<ComparableSimulation[]> {
    const own = await this.run(id)
    const rain = rainKey(own.input as SimulationInput)
    const rows = await this.#db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', MULTIHYDRO)
      .where('status', '=', 'done')
      .where('id', '!=', id)
      .where(sql<string>`input ->> 'catchmentId'`, '=', (own.input as SimulationInput).catchmentId)
      .orderBy('created_at', 'desc')
      .execute()
    return rows
      .filter((row) => rainKey(row.input as SimulationInput) === rain)
      .map(toListItem)
      .map(({ _id, input, username, date }) => ({ _id, input, username, date }))
  }

  luseFiles(catchmentId: string): Promise<LuseFile[]> {
    return listLuseFiles(this.#db, catchmentId)
  }

  async luseFile(id: string): Promise<LuseFile> {
    return toLuseFile(await findLuseFile(this.#db, id))
  }

  async luseText(id: string): Promise<string> {
    const file = await findLuseFile(this.#db, id)
    return luseText(await codesOf(file), await this.library.get(file.catchment_id))
  }

  async luseJpeg(id: string): Promise<Buffer> {
    return (await findLuseFile(this.#db, id)).image_jpeg
  }

  async luseData(id: string, wants: { elevation: boolean; allCodes: boolean }): Promise<LuseData> {
    const file = await findLuseFile(this.#db, id)
    const { elevation, landUse, catchment } = await this.library.get(file.catchment_id)
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

  /** JSON text of the grid of a case study's cells that may be edited. @throws CatchmentNotFound */
  async mask(caseStudyId: string): Promise<string> {
    for (const { id } of await this.library.list()) {
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
    const [file, reference] = await Promise.all([
      findLuseFile(this.#db, luseId),
      referenceFile(this.#db, catchmentId),
    ])
    const { masks, landUse } = await this.library.get(catchmentId)
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

  async nodes(catchmentId: string): Promise<NetworkNode[]> {
    return nodesOf(await this.library.get(catchmentId))
  }

  async path(catchmentId: string, start: string, end: string): Promise<string[]> {
    return shortestPath(await this.library.get(catchmentId), start, end)
  }

  async nodePath(jobId: string, path: string[]): Promise<NodePath> {
    const { dir, input } = await this.#finished(jobId)
    return readPath(dir, path, await this.library.get(input.catchmentId))
  }

  async outputs(jobId: string) {
    const { dir } = await this.#finished(jobId)
    return listOutputs(dir)
  }

  async output(jobId: string, name: string, part?: OutputPart): Promise<SimulationOutput> {
    const { dir, input } = await this.#finished(jobId)
    return readOutput(dir, name, await this.library.get(input.catchmentId), input.rainfallSelection, part)
  }

  /** Path of an output file of a finished run. @throws OutputMissing */
  async outputPath(jobId: string, name: string): Promise<string> {
    const { dir } = await this.#finished(jobId)
    if (!isOutputName(name)) throw new OutputMissing(name.slice(0, 80))
    const path = join(dir, name)
    if (!(await stat(path).catch(() => null))) throw new OutputMissing(name)
    return path
  }

  async depthFrames(jobId: string): Promise<DepthFrames> {
    const { dir, input } = await this.#finished(jobId)
    const index = await readFrameIndex(dir)
    const { catchment } = await this.library.get(input.catchmentId)
    return { place: placeOf(index, catchment.crs), timesS: index.frames.map(({ timeS }) => timeS) }
  }

  /** Depths in mm of the frames `from` to `to` (exclusive). @throws OutputMissing */
  async depthsBetween(jobId: string, from: number, to: number): Promise<Uint16Array> {
    const { dir } = await this.#finished(jobId)
    const index = await readFrameIndex(dir)
    if (from >= index.frames.length)
      throw new BadRequest('from', 'from', `Cette simulation a ${index.frames.length} instants.`)
    return readFrames(dir, index, from, to)
  }

  async course(jobId: string): Promise<{ course: FloodCourse; about: [string, string][] }> {
    const { dir, input } = await this.#finished(jobId)
    return { course: await readCourse(dir), about: aboutRun(jobId, input) }
  }

  /** The largest depths, beside those of a reference run when one is named. @throws OutputMissing, NotComparable, JobNotFound */
  async maxDepth(jobId: string, referenceId?: string): Promise<MaxDepth> {
    const { dir, input } = await this.#finished(jobId)
    const grid = await readMaxDepth(dir)
    const { catchment } = await this.library.get(input.catchmentId)
    const about = aboutRun(jobId, input)
    if (referenceId === undefined) return { grid, reference: null, crs: catchment.crs, about }
    const other = await this.#finished(referenceId)
    const reference = await readMaxDepth(other.dir)
    checkSameGrid(grid, reference)
    about.push(['REFERENCE', `${other.input.title} (${referenceId})`])
    return { grid, reference, crs: catchment.crs, about }
  }

  async #finished(jobId: string): Promise<{ dir: string; input: SimulationInput }> {
    const row = await this.run(jobId)
    if (row.status !== 'done') throw new OutputMissing('résultat')
    const dir = await this.#files.folder(jobOutput(jobId))
    if (dir === null) throw new OutputMissing('résultat')
    return { dir, input: row.input as SimulationInput }
  }
}

/** What files say of the run that they come from. */
const aboutRun = (id: string, input: SimulationInput): [string, string][] => [
  ['SIMULATION', `${input.title} (${id})`],
  ['CATCHMENT', input.catchmentDisplay],
  ['RAIN', input.rainfallSelection],
]

/** What two runs must share to be compared. */
function rainKey(input: SimulationInput): string {
  const { rainfallSelection: kind, rainfallStart, rainfallEnd, virtualRainShape, virtualParam } = input
  if (kind === 'ev7') return kind
  if (kind === 'radar') return `${kind} ${rainfallStart} ${rainfallEnd}`
  const params = Object.entries(virtualParam ?? {}).sort(([a], [b]) => a.localeCompare(b))
  return `${kind} ${virtualRainShape} ${JSON.stringify(params)}`
}

function toListItem(row: JobRow): SimulationListItem {
  const { luseUpdates: _painted, luseConfigs: _table, ...input } = row.input as SimulationInput
  const end = row.finished_at ?? null
  return {
    _id: row.id,
    id: row.id,
    username: row.username,
    date: row.created_at.toISOString(),
    status: row.status,
    error: row.error,
    delay: row.started_at && end ? end.getTime() - row.started_at.getTime() : null,
    input,
    rainSparkline: (row.result as MultihydroResult | null)?.rainSparkline ?? [],
  }
}

/** The file's own table, then the classes of the default table that it lacks, not selected. */
function withMarket(own: LuseRow['configs'], permanentWaterCode: number | undefined): LuseRow['configs'] {
  const codes = new Set(own.map(({ code }) => code))
  const titles = new Set(own.map(({ title }) => title))
  const others = [...defaultConfigs(permanentWaterCode), ...MARKET].filter(
    ({ code, title }) => !codes.has(code) && !titles.has(title),
  )
  return [
    ...own.map((c) => ({ ...c, isSelected: true })),
    ...others.map((c) => ({ ...c, isSelected: false })),
  ]
}

/** Land uses that a project may bring into a town; codes are given when one is chosen. Sources as the default table. */
const MARKET: LuseRow['configs'] = [
  {
    id: 'noue',
    code: 101,
    title: 'Noue végétalisée',
    color: '#2aa198',
    kh: 7.2e-6,
    capsh: 0.11,
    soilmd: 0.35,
    nmanningov: 0.3,
    interceptionclass: 6,
    desc: 'Fossé large et peu profond, planté',
    descFull:
      'Fossé large et peu profond, planté sur sol drainant : il ralentit l’eau, la stocke un moment et l’infiltre.',
    isSelected: false,
  },
  {
    id: 'pave-drainant',
    code: 102,
    title: 'Pavé drainant',
    color: '#c08457',
    kh: 5.5e-6,
    capsh: 0.06,
    soilmd: 0.25,
    nmanningov: 0.02,
    interceptionclass: 1.5,
    desc: 'Pavés à joints poreux',
    descFull:
      'Pavés à joints poreux sur couche de graviers : la surface reste carrossable et laisse passer une pluie courante.',
    isSelected: false,
  },
  {
    id: 'jardin-de-pluie',
    code: 103,
    title: 'Jardin de pluie',
    color: '#7cb342',
    kh: 1.0e-5,
    capsh: 0.09,
    soilmd: 0.35,
    nmanningov: 0.35,
    interceptionclass: 8,
    desc: 'Cuvette plantée sur sol filtrant',
    descFull:
      'Cuvette plantée sur un sol filtrant rapporté : elle reçoit le ruissellement des toits et des cours voisines.',
    isSelected: false,
  },
  {
    id: 'parking',
    code: 104,
    title: 'Parking enrobé',
    color: '#4b5563',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0.016,
    interceptionclass: 0.5,
    desc: 'Aire de stationnement revêtue',
    descFull:
      'Aire de stationnement revêtue : imperméable et lisse, elle rend presque toute la pluie en quelques minutes.',
    isSelected: false,
  },
]
