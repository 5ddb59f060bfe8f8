import { randomInt } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, type LuseFile, type PixelResponse, RUN_MAP_NAMES } from '@radx/contracts'
import type { AttackCase } from '../attack-case.ts'
import { CATCHMENT, PAST_END_MS, PAST_MS, type Program, SHARED } from '../program.ts'
import { floodPaths, Storm } from '../storm.ts'
import { radarRun } from './dates.ts'
import { networkPaths, networkRun } from './networks.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FLIPS = { short: 40, long: 1000 }
const FLIPS_AT_ONCE = 20
const AT_ONCE = 12
/** Where a file is damaged for `radx verify`. */
const PLACES = 8
const WAIT_MS = 600_000
const iso = (ms: number) => new Date(ms).toISOString()

/** A bit of a file, and the byte that holds it before and after. */
interface Flip {
  path: string
  at: number
  before: number
  after: number
}

/**
 * Files of the data folder, whatever they are. PostgreSQL's own are left out: its pages carry checksums of its own
 * (`data_checksums`), and what it cannot start from it says itself.
 */
function filesOf(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/\\]postgres(ql)?[/\\]/.test(path.slice(dir.length)))
    .filter((path) => sizeOf(path) > 0)
    .sort()
}

/** Bytes of a file, 0 where it is gone: one that was still being written may have its final name by now. */
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function byteOf(path: string, at: number, value?: number): number {
  const file = openSync(path, value === undefined ? 'r' : 'r+')
  try {
    const byte = Buffer.alloc(1, value ?? 0)
    if (value === undefined) readSync(file, byte, 0, 1, at)
    else writeSync(file, byte, 0, 1, at)
    return byte[0]
  } finally {
    closeSync(file)
  }
}

/** A bit of a file turns over. The server goes on meanwhile: a file that it put away is passed over. */
function flip(pick: () => string): Flip {
  for (;;) {
    const path = pick()
    const size = sizeOf(path)
    if (size === 0) continue
    const at = randomInt(size)
    const before = byteOf(path, at)
    const after = before ^ (1 << randomInt(8))
    byteOf(path, at, after)
    return { path, at, before, after }
  }
}

const one = <T>(list: readonly T[]): T => list[randomInt(list.length)]

/** The files of one folder: else an archive of many originals hides the few files that readers open. */
function folderOf(files: readonly string[]): string[] {
  const folder = one([...new Set(files.map((path) => dirname(path)))])
  return files.filter((path) => dirname(path) === folder)
}

/** Puts a bit back, unless the file has been made again meanwhile. */
function restore({ path, at, before, after }: Flip): void {
  try {
    if (byteOf(path, at) === after) byteOf(path, at, before)
  } catch {
    // Made again under another name.
  }
}

/** What everybody may look at and what is stored stands behind. */
async function readers(program: Program, runId: string, tif: string): Promise<string[]> {
  const [s, e] = [iso(PAST_MS), iso(PAST_END_MS)]
  const { images } = (await (await program.call('manager', '/api/products/latestImages?p=dpsri')).json()) as {
    images: { path: string }[]
  }
  const outputs = (await (await program.call('user', `/api/job/output/${runId}`)).json()) as {
    name: string
    error: string | null
  }[]
  const run = `/api/multihydro/file/${runId}`
  const [{ _id: luseId }] = (await (
    await program.call('user', `/api/multihydro/files?c=${CATCHMENT}&n=luse.asc`)
  ).json()) as LuseFile[]
  return [
    `/api/products/frames?p=dpsri&s=${s}&e=${e}`,
    `/api/products/frames?p=sri&s=${s}&e=${e}`,
    `/api/products/pixel?p=dpsri&s=${s}&e=${e}&lat=48.54&lng=2.66`,
    `/api/products/pixel?p=dpsri&s=${iso(PAST_MS - 20 * DAY_MS)}&e=${e}&lat=48.6&lng=2.5`,
    `/api/products/accumulation?p=dpsri&s=${s}&e=${e}`,
    `/api/products/graph?p=dpsri&s=${s}&e=${e}&t=pixel&lat=48.54&lng=2.66`,
    `/api/gauges/comparison?p=dpsri&s=${s}&e=${e}`,
    `/api/gauges/adjusted/frames?p=dpsri&s=${s}&e=${e}`,
    `/api/reports/event?p=dpsri&s=${s}&e=${e}`,
    `/api/nowcast/frames?issued=${e}`,
    ...images.slice(-3).map(({ path }) => path),
    `/api/mrr/hour/${s}?v=LWC`,
    `/api/mrr/period?p=dpsri&s=${s}&e=${e}`,
    `/images/exportgeotiff/${tif}`,
    `/api/multihydro/${CATCHMENT}/nodes`,
    ...outputs
      .filter(({ error }) => error === null)
      .map(({ name }) => `/api/job/output/${runId}/${name}/data`),
    ...[
      'course',
      'depth',
      'depth/frames?from=0&to=2',
      'depth/geotiff?at=600',
      'course.csv',
      'max-depth.tif',
      'max-depth.csv',
      'figures',
      'flows',
      'sewer',
      'sewer/moments',
      'sewer/moments/codes',
      'cell?row=3&col=2',
      'section?x1=0&y1=2.5&x2=6&y2=2.5',
      'geopackage',
      // Not its netCDF: HDF5 notes when it wrote; damaged maps are refused in simulation/result/depth.db.test.ts.
      ...RUN_MAP_NAMES.flatMap((map) => [`map/${map}`, `map/${map}/geotiff`]),
      'output?outputType=all_height_10m.txt',
    ].map((part) => `${run}/${part}`),
    `/api/reports/run/${runId}`,
    ...['data', 'dataJson?allCodes=true', 'imageluse', 'image.jpg'].map(
      (part) => `/api/multihydro/file/${luseId}/${part}`,
    ),
  ]
}

/** Bundles are asked for in both forms. */
const asked = (paths: string[]) =>
  paths.flatMap((path) =>
    path.includes('/frames?p=')
      ? [['zstd', path] as const, ['gzip', path] as const]
      : [['gzip', path] as const],
  )

/** A body without the moment at which it was made, which a GeoPackage tells of each of its tables. */
const sameAlways = (path: string, body: Buffer): Buffer =>
  path.endsWith('/geopackage')
    ? Buffer.from(body.toString('latin1').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, ''), 'latin1')
    : body

/** What a reader gets: the body, null for an error. As many are asked for as one caller's part of the line takes. */
async function answers(program: Program, paths: string[]): Promise<(string | null)[]> {
  const all: (string | null)[] = []
  const calls = asked(paths)
  for (let from = 0; from < calls.length; from += AT_ONCE)
    all.push(
      ...(await Promise.all(
        calls.slice(from, from + AT_ONCE).map(async ([encoding, path]) => {
          try {
            const answer = await program.call('manager', path, { headers: { 'accept-encoding': encoding } })
            const body = sameAlways(path, Buffer.from(await answer.arrayBuffer()))
            return answer.ok ? `${encoding} ${path} ${body.toString('base64')}` : null
          } catch {
            return null
          }
        }),
      )),
    )
  return all
}

export const flippedBits: AttackCase = {
  name: 'damage: no flipped bit of any stored file is served as true',
  async run({ program: shared, start, long }) {
    // Floods are forecast in the long form: half a minute and more until there is one.
    const now = Date.now()
    const storm = long ? new Storm(now - 15 * 60_000, now - HOUR_MS / 2) : null
    const program = storm ? await start({ ...SHARED, storm }) : shared
    const floods = storm ? await floodPaths(program, storm, CATCHMENT) : []
    await filled(program)
    const runId = await radarRun(program)
    const paths = [
      ...(await readers(program, runId, await geotiff(program))),
      ...networkPaths(await networkRun(program)),
      ...floods,
    ]
    const golden = await answers(program, paths)
    const again = await answers(program, paths)
    const unfit = asked(paths).filter((_, k) => golden[k] === null || golden[k] !== again[k])
    const wrong = unfit.map(([, path]) => `not readable, or not twice the same, to begin with: ${path}`)
    const kinds = new Set<string>()
    const form = long ? 'long' : 'short'
    const rounds = FLIPS[form] / FLIPS_AT_ONCE
    let refused = 0
    for (let round = 0; round < rounds && wrong.length < 5; round++) {
      const files = filesOf(program.dataDir)
      const flips = Array.from({ length: FLIPS_AT_ONCE }, (_, k) =>
        flip(() => one(k % 2 ? files : folderOf(files))),
      )
      const seen = await answers(program, paths)
      for (const [k, answer] of seen.entries()) {
        if (answer === null) refused++
        else if (answer !== golden[k] && golden[k] !== null)
          wrong.push(
            `${answer.slice(0, 120)} differs after ${flips.map(({ path, at, before, after }) => `${path.slice(program.dataDir.length)}@${at} ${before}>${after}`).join(', ')}`,
          )
      }
      // The last first: two may have met in one byte, which the first alone leaves as it was.
      for (const done of flips.reverse()) {
        restore(done)
        kinds.add(done.path.slice(program.dataDir.length).split(/[/\\]/)[1])
      }
    }
    wrong.push(...(await found(program, runId, long)))
    return {
      load: `${FLIPS[form]} bits in files of ${[...kinds].sort().join(', ')}`,
      worstMs: null,
      outcome: `${refused} refusals, no wrong answer, found and mended by radx verify`,
      wrong,
    }
  },
}

/** Waits for what is made in the background of what is stored: answers tell of it from then on. */
async function filled(program: Program): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(500))
    if (filesOf(program.dataDir).some((path) => path.endsWith('.tiles')) && (await isFollowed(program)))
      return
  throw new Error('no tiles were made, or the rain was not followed')
}

/** Whether the rain of every frame was followed. */
async function isFollowed(program: Program): Promise<boolean> {
  const now = Date.now()
  const spans = [
    ['dpsri', PAST_MS, PAST_END_MS],
    ['sri', PAST_MS, PAST_END_MS],
    ['dpsri', now - HOUR_MS, now],
  ] as const
  const waits = await Promise.all(
    spans.map(async ([product, start, end]) => {
      const span = `s=${iso(start)}&e=${iso(end)}`
      const answer = await program.call(
        'manager',
        `/api/products/pixel?p=${product}&${span}&lat=48.54&lng=2.66`,
      )
      return answer.ok && ((await answer.json()) as PixelResponse).moved === null
    }),
  )
  return !waits.includes(true)
}

async function geotiff(program: Program): Promise<string> {
  const { images } = (await (await program.call('manager', '/api/products/latestImages?p=dpsri')).json()) as {
    images: { datetime: string }[]
  }
  const created = (await (
    await program.call('manager', '/api/job/exportgeotiff', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product: 'dpsri', date: images[0].datetime }),
    })
  ).json()) as Job
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(100)) {
    const job = (await (await program.call('manager', `/api/job/${created.id}`)).json()) as Job
    if (job.status === 'done') return String(job.result)
    if (job.status === 'error') throw new Error(`the export failed: ${job.error}`)
  }
  throw new Error('the export did not end')
}

/** Whether `radx verify` finds damage of every kind, and mends what can be made again. */
async function found(program: Program, runId: string, long: boolean): Promise<string[]> {
  const wrong: string[] = []
  const expect = async (what: string, code: number, ...args: string[]) => {
    const { code: got, out } = await program.radx(['verify', '--rate', '0', ...args])
    if (got !== code) wrong.push(`${what} answered ${got}: ${out}`)
  }
  const damage = (part: string): Flip[] => {
    // Files of a generation before lie beside the newest (.g2, .g10) for a while, and nobody reads them.
    const [path] = filesOf(program.dataDir)
      .filter((p) => p.includes(part))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    if (path === undefined) {
      wrong.push(`no file of ${part}`)
      return []
    }
    // At several places: one may lie in what was written anew further on, and that nobody reads.
    return Array.from({ length: PLACES }, (_, k) => {
      const at = Math.floor(((k + 0.5) / PLACES) * statSync(path).size)
      const before = byteOf(path, at)
      byteOf(path, at, before ^ 16)
      return { path, at, before, after: before ^ 16 }
    })
  }
  for (const parts of long ? [['.pack'], ['.classes'], ['.tiles']] : [['.pack', '.classes', '.tiles']]) {
    await expect('verify --repair of a sound store', 0, '--repair')
    parts.forEach(damage)
    await expect(`verify with damage in ${parts}`, 1)
  }
  await expect('verify --repair', 0, '--repair')
  const kept = ['archive', runId].flatMap(damage)
  await expect('verify --repair of an original and a result', 1, '--repair')
  kept.forEach(restore)
  return wrong
}
