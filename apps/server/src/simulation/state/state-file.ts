import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StateError } from './errors.ts'
import type { RunState } from './run-state.ts'
import { decodeState, encodeState, isState, MOST_STATE_BYTES } from './state-bytes.ts'

const HEAD = 8

/** @throws StateError as `decodeState`, and `state.file` for a file that cannot be read */
export function readStateFile(path: string): RunState {
  try {
    const { size } = statSync(path)
    if (size > MOST_STATE_BYTES)
      throw new StateError('state.file', `${path} est trop grand pour un état de RadX (${size} octets).`)
    return decodeState(readFileSync(path), path)
  } catch (error) {
    if (error instanceof StateError || !isErrno(error)) throw error
    throw new StateError(
      'state.file',
      `L’état ${path} ne peut être lu (${error.code}). Vérifier le chemin et les droits.`,
    )
  }
}

/** A file that a state will be written to: looked at before the run, so that hours of computing are not lost. */
export interface StateFile {
  /** Writes the state beside its place. */
  write(state: RunState): void
  /** Gives it its name. */
  keep(): void
  /** Leaves nothing behind, unless it was kept. */
  close(): void
}

/** @throws StateError `state.output` when nothing can be written there, or something else than a state stands there */
export function openStateFile(path: string): StateFile {
  const whole = resolve(path)
  const temporary = join(dirname(whole), `.${basename(whole)}.${process.pid}`)
  try {
    const head = headOf(whole)
    if (head && !isState(head))
      throw new StateError(
        'state.output',
        `${path} existe et n’est pas un état de RadX : il n’est pas remplacé. Donner un autre fichier.`,
      )
    writeFileSync(temporary, '')
  } catch (error) {
    throw plain(path, error)
  }
  return {
    write(state) {
      try {
        writeFileSync(temporary, encodeState(state), { flush: true })
      } catch (error) {
        throw plain(path, error)
      }
    },
    keep: () => renameSync(temporary, whole),
    close: () => rmSync(temporary, { force: true }),
  }
}

/** The first bytes of a file; null where there is none. */
function headOf(path: string): Uint8Array | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return null
    throw error
  }
  try {
    const head = new Uint8Array(HEAD)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

const isErrno = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'

function plain(path: string, error: unknown): unknown {
  if (error instanceof StateError || !isErrno(error)) return error
  return new StateError(
    'state.output',
    `L’état ne peut être écrit dans ${path} (${error.code}). Vérifier le dossier, les droits et la place.`,
  )
}
