import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DepthFrames, FloodCourse, NodePath, OutputPart, SimulationOutput } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { BadRequest } from '../../http/errors.ts'
import { jobOutput } from '../../jobs/api.ts'
import type { FileStore } from '../../store/file-store.ts'
import { checkFolder } from '../../store/folder-checksums.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import { placeOf } from '../catchment/grid-place.ts'
import type { CatchmentLibrary } from '../catchment/library.ts'
import { OutputMissing } from '../errors.ts'

import { OUTPUT } from '../run/outputs.ts'

import { readSurcharged, type SurchargedLink } from '../run/sewer-results.ts'
import { type RunSpec, rainSelection } from '../run-spec.ts'
import { type Runs, specOf } from '../runs.ts'

import { readCourse } from './course.ts'
import { readFrameIndex, readFrames } from './depth-frames.ts'
import { checkSameGrid, type MaxDepth, readMaxDepth } from './max-depth.ts'
import { isOutputName, listOutputs, readOutput, readPath } from './output-files.ts'

/** Holds the run of a request (and the one it is compared with) against the reader's dates. @throws Forbidden */
export type MayRead = (request: FastifyRequest) => Promise<void>

/** What finished runs have written. */
export class Results {
  readonly #runs: Runs
  readonly #library: CatchmentLibrary
  readonly #files: FileStore

  constructor(runs: Runs, library: CatchmentLibrary, files: FileStore) {
    this.#runs = runs
    this.#library = library
    this.#files = files
  }

  async nodePath(jobId: string, path: string[]): Promise<NodePath> {
    const { dir, spec } = await this.#finished(jobId, [OUTPUT.height])
    return readPath(dir, path, await this.#library.get(spec.catchment.id))
  }

  async outputs(jobId: string) {
    const { dir } = await this.#finished(jobId)
    return listOutputs(dir)
  }

  async output(jobId: string, name: string, part?: OutputPart): Promise<SimulationOutput> {
    const { dir, spec } = await this.#finished(jobId, [name, OUTPUT.sewerNodes])
    return readOutput(dir, name, await this.#library.get(spec.catchment.id), rainSelection(spec.rain), part)
  }

  /** Path of an output file of a finished run. @throws OutputMissing */
  async outputPath(jobId: string, name: string): Promise<string> {
    if (!isOutputName(name)) throw new OutputMissing(name.slice(0, 80))
    const { dir } = await this.#finished(jobId, [name])
    const path = join(dir, name)
    if (!(await stat(path).catch(() => null))) throw new OutputMissing(name)
    return path
  }

  async depthFrames(jobId: string): Promise<DepthFrames> {
    const { dir, spec } = await this.#finished(jobId, [OUTPUT.framesIndex])
    const index = await readFrameIndex(dir)
    const { catchment } = await this.#library.get(spec.catchment.id)
    return { place: placeOf(index, catchment.crs), timesS: index.frames.map(({ timeS }) => timeS) }
  }

  /** Depths in mm of the frames `from` to `to` (exclusive). @throws OutputMissing */
  async depthsBetween(jobId: string, from: number, to: number): Promise<Uint16Array> {
    const { dir } = await this.#finished(jobId, [OUTPUT.framesIndex, OUTPUT.frames])
    const index = await readFrameIndex(dir)
    if (from >= index.frames.length)
      throw new BadRequest('from', 'from', `Cette simulation a ${index.frames.length} instants.`)
    return readFrames(dir, index, from, to)
  }

  async course(jobId: string): Promise<{ course: FloodCourse; about: [string, string][] }> {
    const used = [OUTPUT.framesIndex, OUTPUT.frames, OUTPUT.balance]
    const { dir, spec } = await this.#finished(jobId, used)
    return { course: await readCourse(dir), about: aboutRun(jobId, spec) }
  }

  /**
   * The largest depths, beside those of a reference run when one is named.
   * @throws OutputMissing, NotComparable, JobNotFound
   */
  async maxDepth(jobId: string, referenceId?: string): Promise<MaxDepth> {
    const { dir, spec } = await this.#finished(jobId, [OUTPUT.maxDepth])
    const grid = await readMaxDepth(dir)
    const { catchment } = await this.#library.get(spec.catchment.id)
    const about = aboutRun(jobId, spec)
    if (referenceId === undefined) return { grid, reference: null, crs: catchment.crs, about }
    const other = await this.#finished(referenceId, [OUTPUT.maxDepth])
    const reference = await readMaxDepth(other.dir)
    checkSameGrid(grid, reference)
    about.push(['REFERENCE', `${other.spec.title} (${referenceId})`])
    return { grid, reference, crs: catchment.crs, about }
  }

  /** Links that ran full; null without a network. */
  async surcharged(jobId: string): Promise<SurchargedLink[] | null> {
    return readSurcharged((await this.#finished(jobId, [OUTPUT.sewerLinks])).dir)
  }

  /** @param used files that will be read, held against their checksums. @throws OutputMissing */
  async #finished(jobId: string, used: readonly string[] = []): Promise<{ dir: string; spec: RunSpec }> {
    const row = await this.#runs.run(jobId)
    if (row.status !== 'done') throw new OutputMissing('résultat')
    const dir = await this.#files.folder(jobOutput(jobId))
    if (dir === null) throw new OutputMissing('résultat')
    for (const name of used)
      await checkFolder(dir, [name]).catch((error) => {
        throw error instanceof StoreCorruptError ? new OutputMissing(name) : error
      })
    return { dir, spec: specOf(row) }
  }
}

/** What files say of the run that they come from. */
const aboutRun = (id: string, { title, catchment, rain }: RunSpec): [string, string][] => [
  ['SIMULATION', `${title} (${id})`],
  ['CATCHMENT', catchment.name],
  ['RAIN', rainSelection(rain)],
]
