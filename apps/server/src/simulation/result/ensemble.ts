import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import {
  type Bands,
  ENSEMBLE_COURSES,
  ENSEMBLE_QUANTILES,
  type EnsembleAnswer,
  type EnsembleElement,
  ensembleMemberSchema,
  ensembleSchema,
  type GridPlace,
} from '@radx/contracts'
import { quantile } from '@radx/hydrology/ensemble/spread'
import { z } from 'zod'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'

const series = z.array(z.number())
const fileSchema = z.object({
  choice: ensembleSchema,
  timesS: series,
  control: ensembleMemberSchema,
  members: z.array(ensembleMemberSchema).min(1),
  /** The run without downscaling first. */
  courses: z.record(z.enum(ENSEMBLE_COURSES), z.array(series).min(2)),
  seriesTimesS: series,
  links: z.array(z.string()),
  nodes: z.array(z.string()),
  maps: z.array(z.object({ offset: z.int().min(0), length: z.int().min(1) })),
})
export type EnsembleFile = z.infer<typeof fileSchema>

/** @throws OutputMissing also when the file is no such file */
export async function readEnsemble(dir: string): Promise<EnsembleFile> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(join(dir, OUTPUT.ensemble), 'utf8')))
  } catch {
    throw new OutputMissing(OUTPUT.ensemble)
  }
}

/** Bands of runs over time, `[run][moment]`, the one without downscaling first. */
export function bandsOf([control, ...members]: readonly (readonly number[])[]): Bands {
  const at = control.map((_, k) => Float64Array.from(members, (values) => values[k]).sort())
  const [p10, p50, p90] = ENSEMBLE_QUANTILES.map((share) => at.map((sorted) => quantile(sorted, share)))
  return { control: [...control], members: members.map((values) => [...values]), p10, p50, p90 }
}

export function ensembleAnswer(file: EnsembleFile, place: GridPlace): EnsembleAnswer {
  const { choice, timesS, control, members, courses, links, nodes } = file
  const bands = Object.fromEntries(
    ENSEMBLE_COURSES.map((name) => [name, bandsOf(courses[name])]),
  ) as EnsembleAnswer['courses']
  return { choice, timesS, control, members, courses: bands, place, links, nodes }
}

/** @throws OutputMissing for an element that is not there */
export async function ensembleElement(
  dir: string,
  { members, seriesTimesS, ...file }: EnsembleFile,
  kind: 'link' | 'node',
  name: string,
): Promise<EnsembleElement> {
  const path = kind === 'link' ? OUTPUT.ensembleFlow : OUTPUT.ensembleHeight
  const k = (kind === 'link' ? file.links : file.nodes).indexOf(name)
  const [runs, times] = [members.length + 1, seriesTimesS.length]
  const values = k < 0 ? null : await floatsAt(join(dir, path), k * runs * times, runs * times)
  if (values === null) throw new OutputMissing(name)
  const rows = Array.from({ length: runs }, (_, r) =>
    // As short as a number of four bytes says it.
    Array.from(values.subarray(r * times, (r + 1) * times), (value) => Number(value.toPrecision(7))),
  )
  return { timesS: seriesTimesS, ...bandsOf(rows) }
}

/** Little-endian float32 from a file; null where it ends before. */
async function floatsAt(path: string, from: number, count: number): Promise<Float32Array | null> {
  const file = await open(path).catch(() => null)
  if (file === null) return null
  try {
    const values = new Float32Array(count)
    const bytes = new Uint8Array(values.buffer)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 4 * from)
    return bytesRead === bytes.length ? values : null
  } finally {
    await file.close()
  }
}

const BANDS = ['p10', 'p50', 'p90']

/** @throws OutputMissing for a member that there is not, or a damaged file */
export async function ensembleMap(
  dir: string,
  { maps }: EnsembleFile,
  of: string,
  cells: number,
): Promise<Uint8Array> {
  const band = BANDS.indexOf(of)
  const entry = maps[band >= 0 ? band : BANDS.length + Number(of)]
  const missing = new OutputMissing(`${OUTPUT.ensembleDepth} ${of}`)
  if (!entry) throw missing
  try {
    const packed = (await readFile(join(dir, OUTPUT.ensembleDepth))).subarray(
      entry.offset,
      entry.offset + entry.length,
    )
    const bytes = zstdDecompressSync(packed, { maxOutputLength: 2 * cells })
    if (bytes.length === 2 * cells) return bytes
  } catch {
    // Said below.
  }
  throw missing
}
