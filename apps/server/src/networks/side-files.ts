import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptName } from '../http/unzip.ts'

/** Reads what an .inp names by FILE: what came with it, by its name alone, and nothing else of this machine. */
export const sideFiles =
  (dir: string, names: readonly string[]) =>
  (asked: string): string | null => {
    const wanted = keptName(asked).toLowerCase()
    const found = names.find((name) => name.toLowerCase() === wanted)
    return found === undefined ? null : readFileSync(join(dir, found), 'utf8')
  }
