import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A name as files of a network are kept under: letters, digits, `.`, `-` and `_` alone, of no folder, at most 100 long. */
export function keptName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '')
  const dot = plain.lastIndexOf('.')
  const end = dot > 0 ? plain.slice(dot).slice(0, 12) : ''
  const stem = dot > 0 ? plain.slice(0, dot) : plain
  return `${stem.slice(0, 100 - end.length) || 'fichier'}${end}`
}

/** Reads what an .inp names by FILE: what came with it, by its name alone, and nothing else of this machine. */
export const sideFiles =
  (dir: string, names: readonly string[]) =>
  (asked: string): string | null => {
    const wanted = keptName(asked).toLowerCase()
    const found = names.find((name) => name.toLowerCase() === wanted)
    return found === undefined ? null : readFileSync(join(dir, found), 'utf8')
  }
