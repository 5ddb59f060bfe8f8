import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  CellSeries,
  DepthFrames,
  EnsembleAnswer,
  EnsembleElement,
  FloodCourse,
  NodePath,
  OutputPart,
  RunFigures,
  RunMap,
  SectionFlow,
  SewerPeakTable,
  SimulationOutput,
  StreetDepths,
} from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { BadRequest } from '../../http/errors.ts'
import { jobOutput } from '../../jobs/api.ts'
import type { FileStore } from '../../store/file-store.ts'
import { checkFolder } from '../../store/folder-checksums.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { placeOf } from '../catchment/grid-place.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import { NotComparable, OutputMissing } from '../errors.ts'
import type { MultihydroResult } from '../multihydro.ts'
import { OUTPUT } from '../run/outputs.ts'
import { readSurcharged, type SurchargedLink } from '../run/sewer-results.ts'
import { type RunSpec, rainSelection } from '../run-spec.ts'
import { type Runs, specOf } from '../runs.ts'
import { cellSeries } from './cell-series.ts'
import { readCourse, readFlows } from './course.ts'
import { readFrameIndex, readFrames } from './depth-frames.ts'
import { ensembleAnswer, ensembleElement, ensembleMap, readEnsemble } from './ensemble.ts'
import { figuresOf } from './figures.ts'
import { runGeoPackage } from './geopackage.ts'
import { checkSameGrid, type MaxDepth, readMaxDepth } from './max-depth.ts'
import { isOutputName, listOutputs, readOutput, readPath } from './output-files.ts'
import { MAP_FILES, mapCodes, mapTiff, readRunMap } from './run-maps.ts'
import { type SectionLine, sectionFlow } from './section.ts'
import { readSewerPeaks } from './sewer-peaks.ts'
import { streetDepths } from './street-depths.ts'

/** Holds the run of a request (and the one it is compared with) against the reader's dates. @throws Forbidden */
export type MayRead = (request: FastifyRequest) => Promise<void>

/** What finished runs have written. */
export class Results {
  private readonly runs: Runs
  private readonly library: CatchmentLibrary
  private readonly files: FileStore

  constructor(runs: Runs, library: CatchmentLibrary, files: FileStore) {
    this.runs = runs
    this.library = library
    this.files = files
  }

  async nodePath(jobId: string, path: string[]): Promise<NodePath> {
    const { dir, spec } = await this.finished(jobId, [OUTPUT.height])
    return readPath(dir, path, await this.packageOf(spec))
  }

  async outputs(jobId: string) {
    const { dir } = await this.finished(jobId)
    return listOutputs(dir)
  }

  async output(jobId: string, name: string, part?: OutputPart): Promise<SimulationOutput> {
    const { dir, spec } = await this.finished(jobId, [name, OUTPUT.sewerNodes])
    return readOutput(dir, name, await this.packageOf(spec), rainSelection(spec.rain), part)
  }

  /** Path of an output file of a finished run. @throws OutputMissing */
  async outputPath(jobId: string, name: string): Promise<string> {
    if (!isOutputName(name)) throw new OutputMissing(name.slice(0, 80))
    const { dir } = await this.finished(jobId, [name])
    const path = join(dir, name)
    if (!(await stat(path).catch(() => null))) throw new OutputMissing(name)
    return path
  }

  async depthFrames(jobId: string): Promise<DepthFrames> {
    const { dir, spec } = await this.finished(jobId, [OUTPUT.framesIndex])
    const index = await readFrameIndex(dir)
    const { catchment } = await this.packageOf(spec)
    return { place: placeOf(index, catchment.crs), timesS: index.frames.map(({ timeS }) => timeS) }
  }

  /** Depths in mm of the frames `from` to `to` (exclusive). @throws OutputMissing */
  async depthsBetween(jobId: string, from: number, to: number): Promise<Uint16Array> {
    const { dir } = await this.finished(jobId, [OUTPUT.framesIndex, OUTPUT.frames])
    const index = await readFrameIndex(dir)
    if (from >= index.frames.length)
      throw new BadRequest('from', 'from', `Cette simulation a ${index.frames.length} instants.`)
    return readFrames(dir, index, from, to)
  }

  async course(jobId: string): Promise<{ course: FloodCourse; about: [string, string][] }> {
    const { dir, spec } = await this.finished(jobId, COURSE)
    return { course: await readCourse(dir), about: aboutRun(jobId, spec) }
  }

  /**
   * The largest depths, beside those of a reference run when one is named.
   * @throws OutputMissing, NotComparable, JobNotFound
   */
  async maxDepth(jobId: string, referenceId?: string): Promise<MaxDepth> {
    const { dir, spec } = await this.finished(jobId, [OUTPUT.maxDepth])
    const grid = await readMaxDepth(dir)
    const { catchment } = await this.packageOf(spec)
    const about = aboutRun(jobId, spec)
    if (referenceId === undefined) return { grid, reference: null, crs: catchment.crs, about }
    const other = await this.finished(referenceId, [OUTPUT.maxDepth])
    if (!(await this.runs.onSameVersion(jobId, referenceId)))
      throw new NotComparable('elles sont de deux versions du bassin versant')
    const reference = await readMaxDepth(other.dir)
    checkSameGrid(grid, reference)
    about.push(['REFERENCE', `${other.spec.title} (${referenceId})`])
    return { grid, reference, crs: catchment.crs, about }
  }

  /** @throws OutputMissing also for a run without an ensemble */
  async ensemble(jobId: string): Promise<EnsembleAnswer> {
    const { dir, spec } = await this.finished(jobId, [OUTPUT.ensemble, OUTPUT.framesIndex])
    const { catchment } = await this.packageOf(spec)
    return ensembleAnswer(await readEnsemble(dir), placeOf(await readFrameIndex(dir), catchment.crs))
  }

  /** A link's flows or a node's depths in every member. @throws OutputMissing */
  async ensembleElement(jobId: string, kind: 'link' | 'node', name: string): Promise<EnsembleElement> {
    const values = kind === 'link' ? OUTPUT.ensembleFlow : OUTPUT.ensembleHeight
    const { dir } = await this.finished(jobId, [OUTPUT.ensemble, values])
    return ensembleElement(dir, await readEnsemble(dir), kind, name)
  }

  /** Largest depths of a band or a member, uint16 mm. @throws OutputMissing */
  async ensembleMap(jobId: string, of: string): Promise<Uint8Array> {
    const { dir } = await this.finished(jobId, [OUTPUT.ensemble, OUTPUT.ensembleDepth, OUTPUT.framesIndex])
    const { nrows, ncols } = await readFrameIndex(dir)
    return ensembleMap(dir, await readEnsemble(dir), of, nrows * ncols)
  }

  /** The catchment as a run saw it. @throws JobNotFound, CatchmentVersionGone */
  async catchment(jobId: string): Promise<CatchmentPackage> {
    return this.packageOf(specOf(await this.runs.run(jobId)))
  }

  private packageOf({ catchment, landUse }: RunSpec): Promise<CatchmentPackage> {
    return this.library.ofLandUse(landUse.fileId, catchment.id)
  }

  /** What is said first of a run. @throws OutputMissing */
  async figures(jobId: string): Promise<RunFigures> {
    const { dir, result } = await this.finished(jobId, [OUTPUT.maxDepth, ...SEWER_PEAKS, ...FLOWS])
    if (!result) throw new OutputMissing('résultat')
    // What a run of before has not, or one without a network, is left out.
    const missing = (error: unknown) => {
      if (error instanceof OutputMissing) return null
      throw error
    }
    const [maxDepth, sewer] = await Promise.all([readMaxDepth(dir), readSewerPeaks(dir).catch(missing)])
    const cells = maxDepth.data.reduce((n: number, depth) => n + (Number.isNaN(depth) ? 0 : 1), 0)
    const flows = await readFlows(dir, Math.max(1, cells) * maxDepth.cellSize ** 2).catch(missing)
    const { balance, run } = result
    return figuresOf({ maxDepth, sewer, flows, balance, durationS: run.simulatedSeconds })
  }

  /** Streets under water. @throws OutputMissing */
  async streets(jobId: string): Promise<StreetDepths> {
    const { dir, spec } = await this.finished(jobId, [OUTPUT.maxDepth])
    return streetDepths(await readMaxDepth(dir), (await this.packageOf(spec)).streets)
  }

  /** @throws OutputMissing without a network */
  async sewerPeaks(jobId: string): Promise<SewerPeakTable> {
    const { dir } = await this.finished(jobId, SEWER_PEAKS)
    return readSewerPeaks(dir)
  }

  /** A map over the whole run, as `RUN_MAPS` tells it. @throws OutputMissing */
  async runMap(jobId: string, map: RunMap): Promise<Uint16Array> {
    const { dir } = await this.finished(jobId, [MAP_FILES[map].file])
    return mapCodes(await readRunMap(dir, map), map)
  }

  /** The same as GeoTIFF. @throws OutputMissing */
  async runMapTiff(jobId: string, map: RunMap): Promise<Uint8Array> {
    const { dir, spec } = await this.finished(jobId, [MAP_FILES[map].file])
    const { elevation, catchment } = await this.packageOf(spec)
    return mapTiff(await readRunMap(dir, map), map, elevation, catchment.crs, aboutRun(jobId, spec))
  }

  /** Cells, nodes and links with what came of them, for other tools. @throws OutputMissing, TooManyCells */
  async geoPackage(jobId: string): Promise<Uint8Array> {
    const maps = Object.keys(CELL_COLUMNS) as (keyof typeof CELL_COLUMNS)[]
    const used = (['hauteur', ...maps] as const).map((map) => MAP_FILES[map].file)
    const { dir, spec } = await this.finished(jobId, [...used, ...SEWER_PEAKS])
    const none = (error: unknown) => {
      if (error instanceof OutputMissing) return null
      throw error
    }
    // Maps that a run of before has not are left out.
    const depth = await readRunMap(dir, 'hauteur')
    const found = await Promise.all(maps.map((name) => readRunMap(dir, name).catch(none)))
    const peaks = await readSewerPeaks(dir).catch(none)
    const columns = maps.flatMap((name, k) => {
      const values = found[k]
      return values ? [[CELL_COLUMNS[name], values] as const] : []
    })
    return runGeoPackage(
      await this.packageOf(spec),
      { max_depth_m: depth, ...Object.fromEntries(columns) },
      peaks,
    )
  }

  /** @throws BadRequest for a cell outside, OutputMissing */
  async cell(jobId: string, at: { row: number; col: number }): Promise<CellSeries> {
    const { dir, spec } = await this.finished(jobId, OVER_TIME)
    const { elevation } = await this.packageOf(spec)
    return cellSeries(dir, await readFrameIndex(dir), at, elevation.data)
  }

  /** @throws BadRequest for no line across the grid, OutputMissing */
  async section(jobId: string, line: SectionLine): Promise<SectionFlow> {
    const { dir } = await this.finished(jobId, OVER_TIME)
    return sectionFlow(dir, await readFrameIndex(dir), line)
  }

  /** Links that ran full; null without a network. */
  async surcharged(jobId: string): Promise<SurchargedLink[] | null> {
    return readSurcharged((await this.finished(jobId, [OUTPUT.sewerLinks])).dir)
  }

  /** @param used files that will be read, held against their checksums. @throws OutputMissing */
  private async finished(
    jobId: string,
    used: readonly string[] = [],
  ): Promise<{ dir: string; spec: RunSpec; result: MultihydroResult | null }> {
    const row = await this.runs.run(jobId)
    if (row.status !== 'done') throw new OutputMissing('résultat')
    const dir = await this.files.folder(jobOutput(jobId))
    if (dir === null) throw new OutputMissing('résultat')
    for (const name of used)
      await checkFolder(dir, [name]).catch((error) => {
        throw error instanceof StoreCorruptError ? new OutputMissing(name) : error
      })
    return { dir, spec: specOf(row), result: row.result as MultihydroResult | null }
  }
}

/** Maps of a GeoPackage beside the largest depth, and their columns. */
const CELL_COLUMNS = {
  vitesse: 'max_velocity_ms',
  debit: 'max_depth_velocity_m2s',
  infiltration: 'infiltration_m',
  arrivee: 'arrival_s',
  'duree-5': 'over_5cm_s',
  'duree-20': 'over_20cm_s',
  'duree-50': 'over_50cm_s',
  defra: 'defra_class',
  ppri: 'ppri_class',
} as const satisfies Partial<Record<RunMap, string>>

/** Files that are read together. */
const SEWER_PEAKS = [OUTPUT.sewerNodes, OUTPUT.sewerLinks]
const FLOWS = [OUTPUT.framesIndex, OUTPUT.balance]
const COURSE = [...FLOWS, OUTPUT.frames]
const OVER_TIME = [OUTPUT.framesIndex, OUTPUT.frames, OUTPUT.velocityIndex, OUTPUT.velocity]

/** What files say of the run that they come from. */
const aboutRun = (id: string, { title, catchment, rain }: RunSpec): [string, string][] => [
  ['SIMULATION', `${title} (${id})`],
  ['CATCHMENT', catchment.name],
  ['RAIN', rainSelection(rain)],
]
