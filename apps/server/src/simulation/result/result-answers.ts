import { readFile } from 'node:fs/promises'
import type { OutputPart, RunMap } from '@radx/contracts'
import { type CsvDialect, csvFile, csvInDialect } from '@radx/locale/csv'
import { openFileStore } from '../../store/file-store.ts'
import type { AnswerContext, AnswerKind } from '../../threads/answers.ts'
import { threadLibrary } from '../catchment/library.ts'
import { Runs } from '../runs.ts'
import { courseCsv } from './course.ts'
import { maxDepthCsv, maxDepthTiff } from './max-depth.ts'
import { Results } from './results.ts'
import type { SectionLine } from './section.ts'

/** What is read or computed of a finished run; a run's size, and so its work, is its catchment's. */
export type ResultAsked = { jobId: string } & (
  | {
      of:
        | 'course'
        | 'ensemble'
        | 'figures'
        | 'flows'
        | 'sewer'
        | 'sewer-moments'
        | 'sewer-codes'
        | 'streets'
        | 'measures'
        | 'geopackage'
        | 'netcdf'
    }
  | { of: 'map' | 'map.tif'; map: RunMap }
  | { of: 'frame.tif'; frames: 'depth' | 'rain'; atS: number }
  | { of: 'cell'; row: number; col: number }
  | ({ of: 'section' } & SectionLine)
  | { of: 'course.csv'; dialect: CsvDialect }
  | { of: 'max-depth.tif'; reference?: string }
  | { of: 'max-depth.csv'; reference?: string; dialect: CsvDialect }
  | { of: 'output'; name: string; part: OutputPart }
  | { of: 'output.csv'; name: string; dialect: CsvDialect }
  | { of: 'path'; path: string[] }
  | { of: 'element'; kind: 'link' | 'node'; name: string }
)

/** An answer about a finished run, as the bytes that are sent. */
export const resultAnswer: AnswerKind<ResultAsked, { body: Uint8Array }> = {
  name: 'result',
  async run({ db, config }: AnswerContext, asked) {
    const results = new Results(new Runs(db), threadLibrary(db, config), openFileStore(config))
    const made = await bodyOf(results, asked)
    return { body: typeof made === 'string' ? new TextEncoder().encode(made) : made }
  },
}

async function bodyOf(results: Results, asked: ResultAsked): Promise<string | Uint8Array> {
  const { jobId } = asked
  switch (asked.of) {
    case 'course':
      return JSON.stringify((await results.course(jobId)).course)
    case 'course.csv': {
      const { course, about } = await results.course(jobId)
      return csvFile(courseCsv(course, about), asked.dialect)
    }
    case 'figures':
      return JSON.stringify(await results.figures(jobId))
    case 'flows':
      return JSON.stringify(await results.flows(jobId))
    case 'geopackage':
      return results.geoPackage(jobId)
    case 'netcdf':
      return results.netcdf(jobId)
    case 'sewer':
      return JSON.stringify(await results.sewerPeaks(jobId))
    case 'sewer-moments':
      return JSON.stringify(await results.sewerMoments(jobId))
    case 'sewer-codes':
      return results.sewerCodes(jobId)
    case 'streets':
      return JSON.stringify(await results.streets(jobId))
    case 'measures':
      return JSON.stringify(await results.measures(jobId))
    case 'map':
      return new Uint8Array((await results.runMap(jobId, asked.map)).buffer)
    case 'map.tif':
      return results.runMapTiff(jobId, asked.map)
    case 'frame.tif':
      return results.frameTiff(jobId, asked.frames, asked.atS)
    case 'cell':
      return JSON.stringify(await results.cell(jobId, asked))
    case 'section':
      return JSON.stringify(await results.section(jobId, asked))
    case 'max-depth.tif':
      return maxDepthTiff(await results.maxDepth(jobId, asked.reference))
    case 'max-depth.csv':
      return csvFile(maxDepthCsv(await results.maxDepth(jobId, asked.reference)), asked.dialect)
    case 'output':
      return JSON.stringify(await results.output(jobId, asked.name, asked.part))
    case 'output.csv':
      return csvInDialect(await readFile(await results.outputPath(jobId, asked.name), 'utf8'), asked.dialect)
    case 'path':
      return JSON.stringify(await results.nodePath(jobId, asked.path))
    case 'ensemble':
      return JSON.stringify(await results.ensemble(jobId))
    case 'element':
      return JSON.stringify(await results.ensembleElement(jobId, asked.kind, asked.name))
  }
}
