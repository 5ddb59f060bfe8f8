import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CellSeries,
  DEPTH_FRAME_NO_DATA,
  type DepthFrames,
  type EnsembleAnswer,
  type EnsembleElement,
  type FloodCourse,
  type NodePath,
  type OutputPart,
  type RainFrames,
  RUN_MAPS,
  type RunFigures,
  type RunFlows,
  type RunMap,
  type RunMeasures,
  type SectionFlow,
  type SewerMoments,
  type SewerPeakTable,
  type SimulationOutput,
  type StreetDepths,
} from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { BadRequest } from '../../http/errors.ts'
import { jobOutput } from '../../jobs/api.ts'
import type { FileStore } from '../../store/file-store.ts'
import { checkFolder } from '../../store/folder-checksums.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import type { RunSeen } from '../calibration/overlay.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { placeOf } from '../catchment/grid-place.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import { NotComparable, OutputMissing } from '../errors.ts'
import type { MultihydroResult } from '../multihydro.ts'
import { readMeasures } from '../run/measures.ts'
import { DEPTH_FRAMES, OUTPUT, RAIN_FRAMES } from '../run/outputs.ts'
import { readSurcharged, type SurchargedLink } from '../run/sewer-results.ts'
import { type RunSpec, rainSelection } from '../run-spec.ts'
import { type Runs, specOf } from '../runs.ts'
import { cellSeries } from './cell-series.ts'
import { readCourse, readFlows } from './course.ts'
import { readFrameIndex, readFrames } from './depth-frames.ts'
import { ensembleAnswer, ensembleElement, ensembleMap, readEnsemble } from './ensemble.ts'
import { readField } from './fields.ts'
import { figuresIn } from './figures-in.ts'
import { runGeoPackage } from './geopackage.ts'
import { checkSameGrid, type MaxDepth, readMaxDepth } from './max-depth.ts'
import { NETCDF_MAPS, runNetcdf } from './netcdf.ts'
import { isOutputName, listOutputs, readOutput, readPath } from './output-files.ts'
import { gridTiff, MAP_FILES, mapCodes, readRunMap } from './run-maps.ts'
import { type SectionLine, sectionFlow } from './section.ts'
import { readSewerCodes, readSewerIndex } from './sewer-moments.ts'
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
    const { dir, spec } = await this.finished(jobId, [OUTPUT.height, OUTPUT.networkResults])
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

  /** Depths in mm, or what else is kept of cells over time, of the frames `from` to `to` (exclusive). @throws OutputMissing */
  async framesBetween(jobId: string, from: number, to: number, of = DEPTH_FRAMES): Promise<Uint16Array> {
    const { dir } = await this.finished(jobId, [of.index, of.file])
    const index = await readFrameIndex(dir, of)
    if (from >= index.frames.length)
      throw new BadRequest('from', 'from', `Cette simulation a ${index.frames.length} instants.`)
    return readFrames(dir, index, from, to, of)
  }

  /** @throws OutputMissing for rain that was the same everywhere, and for a run of before */
  async rain(jobId: string): Promise<RainFrames> {
    const { dir } = await this.finished(jobId, [OUTPUT.rainIndex])
    const { frames } = await readFrameIndex(dir, RAIN_FRAMES)
    return { timesS: frames.map(({ timeS }) => timeS), missing: frames.map(({ missing }) => missing ?? 0) }
  }

  /** The frame of a moment (the one before it, of rain) as GeoTIFF. @throws OutputMissing */
  async frameTiff(jobId: string, of: 'depth' | 'rain', atS: number): Promise<Uint8Array> {
    const { kind, perUnit, about } = FRAME_MAPS[of]
    const { dir, spec } = await this.finished(jobId, [kind.index, kind.file])
    const index = await readFrameIndex(dir, kind)
    const after = index.frames.findIndex(({ timeS }) => timeS > atS)
    const frame = Math.max(0, (after < 0 ? index.frames.length : after) - 1)
    const codes = await readFrames(dir, index, frame, frame + 1, kind)
    const values = Float32Array.from(codes, (code) =>
      code === DEPTH_FRAME_NO_DATA ? Number.NaN : code / perUnit,
    )
    const { elevation, catchment } = await this.packageOf(spec)
    const told: [string, string][] = [...aboutRun(jobId, spec), ['TIME_S', String(index.frames[frame].timeS)]]
    return gridTiff(values, about, elevation, catchment.crs, told)
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
    const { dir, result } = await this.finished(jobId, [...SEWER_PEAKS, ...FLOWS])
    if (!result) throw new OutputMissing('résultat')
    return figuresIn(dir, result)
  }

  /** Rain, flows and volumes over time, without a look at the depths. @throws OutputMissing */
  async flows(jobId: string): Promise<RunFlows> {
    const { dir, result } = await this.finished(jobId, FLOWS)
    if (!result) throw new OutputMissing('résultat')
    const { cellSize } = await readFrameIndex(dir)
    return readFlows(dir, Math.max(1, result.run.activeCells) * cellSize ** 2)
  }

  /** Streets under water. @throws OutputMissing */
  async streets(jobId: string): Promise<StreetDepths> {
    const { dir, spec } = await this.finished(jobId)
    return streetDepths(await readField(dir, OUTPUT.maxDepth), (await this.packageOf(spec)).streets)
  }

  /** Measures that held water; none for a run without. @throws OutputMissing */
  async measures(jobId: string): Promise<RunMeasures> {
    return { measures: await readMeasures((await this.finished(jobId)).dir) }
  }

  /** @throws OutputMissing without a network */
  async sewerPeaks(jobId: string): Promise<SewerPeakTable> {
    const { dir } = await this.finished(jobId, SEWER_PEAKS)
    return readSewerPeaks(dir)
  }

  /** @throws OutputMissing without a network */
  async sewerMoments(jobId: string): Promise<SewerMoments> {
    return readSewerIndex((await this.finished(jobId, [OUTPUT.networkResults])).dir)
  }

  /** The codes of these moments. @throws OutputMissing without a network */
  async sewerCodes(jobId: string): Promise<Uint8Array> {
    return readSewerCodes((await this.finished(jobId, [OUTPUT.networkResults])).dir)
  }

  /** A map over the whole run, as `RUN_MAPS` tells it. @throws OutputMissing */
  async runMap(jobId: string, map: RunMap): Promise<Uint16Array> {
    const { dir } = await this.finished(jobId)
    return mapCodes(await readRunMap(dir, map), map)
  }

  /** The same as GeoTIFF. @throws OutputMissing */
  async runMapTiff(jobId: string, map: RunMap): Promise<Uint8Array> {
    const { dir, spec } = await this.finished(jobId)
    const { elevation, catchment } = await this.packageOf(spec)
    const about = { description: MAP_FILES[map].description, unit: RUN_MAPS[map].unit }
    return gridTiff(await readRunMap(dir, map), about, elevation, catchment.crs, aboutRun(jobId, spec))
  }

  /** Cells, nodes and links with what came of them, for other tools. @throws OutputMissing, TooManyCells */
  async geoPackage(jobId: string): Promise<Uint8Array> {
    const maps = Object.keys(CELL_COLUMNS) as (keyof typeof CELL_COLUMNS)[]
    const files = maps.map((name) => MAP_FILES[name].file)
    const { dir, spec } = await this.finished(jobId, [...SEWER_PEAKS, ...files])
    const none = (error: unknown) => {
      if (error instanceof OutputMissing) return null
      throw error
    }
    // Maps that a run of before never had are left out; a damaged one was refused above.
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

  /** Maps and depths over time, for models and notebooks. @throws OutputMissing, TooManyDepths */
  async netcdf(jobId: string): Promise<Uint8Array> {
    const used = [OUTPUT.framesIndex, OUTPUT.frames, ...NETCDF_MAPS]
    const { dir, spec } = await this.finished(jobId, used)
    const { elevation, catchment } = await this.packageOf(spec)
    const about = aboutRun(jobId, spec).map(([name, text]) => [name.toLowerCase(), text])
    return runNetcdf(dir, {
      elevation,
      crs: catchment.crs,
      // Runs of before have none.
      startMs: Number.isFinite(spec.startMs) ? spec.startMs : null,
      attributes: { title: spec.title, ...Object.fromEntries(about) },
    })
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

  /** What series of measurements are laid over. @throws OutputMissing */
  async seen(jobId: string): Promise<RunSeen & { catchmentId: string }> {
    const { dir, spec, result } = await this.finished(jobId, [OUTPUT.flow, OUTPUT.height])
    const { catchment: of, startMs } = spec
    const durationS = result?.run.simulatedSeconds ?? 0
    return { dir, catchmentId: of.id, catchment: await this.packageOf(spec), startMs, durationS }
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

/** What is kept of cells over time, as a map. */
const FRAME_MAPS = {
  depth: { kind: DEPTH_FRAMES, perUnit: 1000, about: { description: 'water depth', unit: 'm' } },
  rain: { kind: RAIN_FRAMES, perUnit: 10, about: { description: 'rain rate', unit: 'mm/h' } },
} as const

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
