import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../run/outputs.ts'

/** Files that hold a part of time each; all others tell of the run since its start. */
const BY_TIME: readonly string[] = [
  OUTPUT.flow,
  OUTPUT.height,
  OUTPUT.points,
  OUTPUT.frames,
  OUTPUT.framesIndex,
  OUTPUT.velocity,
  OUTPUT.velocityIndex,
  OUTPUT.networkResults,
  OUTPUT.run,
  OUTPUT.log,
]

const GOES_ON = /^Suite d’un calcul.*\n/m

/** A result folder as it can be compared, every byte of it: what is since the run's start, and what is by time. */
export interface ResultParts {
  sinceStart: Record<string, string>
  byTime: Record<string, unknown[]>
}

/** Reads the result folders of one run, cut into parts or not. */
export function readParts(dirs: string[]): ResultParts {
  const last = dirs[dirs.length - 1]
  const file = (dir: string, name: string) => readFileSync(join(dir, name))
  const names = readdirSync(last)
  const text = (dir: string, name: string) =>
    names.includes(name) ? file(dir, name).toString('utf8').trimEnd().split('\n') : []
  const {
    wallSeconds: _,
    cellUpdatesPerSecond: __,
    fromS: ___,
    threads: ____,
    ...run
  } = JSON.parse(file(last, OUTPUT.run).toString('utf8'))
  return {
    sinceStart: {
      ...Object.fromEntries(
        names
          .filter((name) => !BY_TIME.includes(name))
          .map((name) => [name, file(last, name).toString('base64')]),
      ),
      [OUTPUT.run]: JSON.stringify(run),
      [OUTPUT.log]: file(last, OUTPUT.log).toString('utf8').replace(GOES_ON, ''),
    },
    byTime: {
      ...Object.fromEntries(
        [OUTPUT.flow, OUTPUT.height].map((name) => [name, joined(dirs.map((dir) => text(dir, name)))]),
      ),
      // Each part begins with a line of its first moment, which is the last of the part before.
      [OUTPUT.points]: [...new Set(joined(dirs.map((dir) => text(dir, OUTPUT.points))))],
      [OUTPUT.networkResults]: names.includes(OUTPUT.networkResults)
        ? dirs.flatMap((dir) => periodsOf(file(dir, OUTPUT.networkResults)))
        : [],
    },
  }
}

/** Lines of tables below one heading. */
const joined = (tables: string[][]): string[] => [
  ...(tables[0].slice(0, 1) ?? []),
  ...tables.flatMap((lines) => lines.slice(1)),
]

/** Bytes of the periods of a file of EPA SWMM's; its tail says where they begin and how many there are. */
function periodsOf(bytes: Buffer): string[] {
  const tail = bytes.length - 24
  const results = bytes.readInt32LE(tail + 8)
  const count = bytes.readInt32LE(tail + 12)
  const size = count > 0 ? (tail - results) / count : 0
  return Array.from({ length: count }, (_, k) =>
    bytes.subarray(results + k * size, results + (k + 1) * size).toString('base64'),
  )
}

/** Frames of depth and of velocity by their moment. */
export function framesOf(dirs: string[]): Map<number, string> {
  const both = dirs.map((dir) => [
    framesIn(dir, OUTPUT.frames, OUTPUT.framesIndex),
    framesIn(dir, OUTPUT.velocity, OUTPUT.velocityIndex),
  ])
  return new Map(
    both.flatMap(([depths, velocities]) =>
      depths.map(({ timeS, bytes }, k) => [timeS, `${bytes} ${velocities[k].bytes}`] as const),
    ),
  )
}

function framesIn(dir: string, file: string, index: string): { timeS: number; bytes: string }[] {
  const bytes = readFileSync(join(dir, file))
  const { frames } = JSON.parse(readFileSync(join(dir, index), 'utf8')) as {
    frames: { timeS: number; offset: number; length: number }[]
  }
  return frames.map(({ timeS, offset, length }) => ({
    timeS,
    bytes: bytes.subarray(offset, offset + length).toString('base64'),
  }))
}
