import type { LuseUpdate } from '@radx/contracts/simulation'
import { type FormState, INITIAL_FORM } from './state.ts'

/** A form that was being filled in, as this browser keeps it. */
export interface Draft {
  /** Of the history entries that show the form. */
  id: string
  owner: string
  caseStudyId: string
  savedAt: number
  state: FormState
}

/** Painted cells one after another: row, column, code. A million objects would take seconds to store. */
type Packed = Omit<Draft, 'state'> & {
  state: Omit<FormState, 'luseUpdates' | 'unsaved'>
  saved: Int32Array
  unsaved: Int32Array | null
}

const STORE = 'drafts'
const KEPT = 8
const KEPT_MS = 30 * 24 * 3_600_000

/** Number and letters that nobody else draws; browsers offer `randomUUID` on safe lines alone. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')
}

/** Whether somebody would miss what the form holds: a title, something painted; not once it was sent. */
export const isWorthKeeping = (state: FormState): boolean =>
  state.jobId === null && (state.title.trim() !== '' || hasPainting(state))

/** Whether cells were painted in a form that was not sent. */
export const hasPainting = ({ jobId, luseUpdates, stage, unsaved }: FormState): boolean =>
  jobId === null && stage !== 'off' && (luseUpdates.length > 0 || (unsaved ?? []).length > 0)

export function packCells(cells: readonly LuseUpdate[]): Int32Array {
  const packed = new Int32Array(cells.length * 3)
  cells.forEach(({ i, j, value }, k) => {
    packed.set([i, j, value], 3 * k)
  })
  return packed
}

export const unpackCells = (packed: Int32Array): LuseUpdate[] =>
  Array.from({ length: packed.length / 3 }, (_, k) => ({
    i: packed[3 * k],
    j: packed[3 * k + 1],
    value: packed[3 * k + 2],
  }))

function pack({ state: { luseUpdates, unsaved, ...state }, ...draft }: Draft): Packed {
  return {
    ...draft,
    state,
    saved: packCells(luseUpdates),
    unsaved: unsaved === null ? null : packCells(unsaved),
  }
}

function unpack({ saved, unsaved, state, ...draft }: Packed): Draft {
  const cells = {
    luseUpdates: unpackCells(saved),
    unsaved: unsaved === null ? null : unpackCells(unsaved),
  }
  // A draft of an older version lacks what came since.
  return { ...draft, state: { ...INITIAL_FORM, ...state, ...cells } }
}

/** Answers of the browser's database; where it is closed (private windows, no space) drafts are not kept. */
const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opened: Promise<IDBDatabase> | null = null

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('radx-forms', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

const drafts = async (mode: IDBTransactionMode) =>
  (await database()).transaction(STORE, mode).objectStore(STORE)

/** @returns null also where nothing can be kept */
export async function readDraft(id: string, owner: string): Promise<Draft | null> {
  try {
    const found = (await answerOf((await drafts('readonly')).get(id))) as Packed | undefined
    return found?.owner === owner ? unpack(found) : null
  } catch {
    return null
  }
}

/** The last draft worth going on with, of the same account and case study but of another entry. */
export async function newestDraft(owner: string, caseStudyId: string, but: string): Promise<Draft | null> {
  try {
    const all = (await answerOf((await drafts('readonly')).getAll())) as Packed[]
    const [newest] = all
      .filter((draft) => draft.owner === owner && draft.caseStudyId === caseStudyId && draft.id !== but)
      .map(unpack)
      .filter(({ state }) => isWorthKeeping(state))
      .toSorted((a, b) => b.savedAt - a.savedAt)
    return newest ?? null
  } catch {
    return null
  }
}

/** Keeps a draft; at once, since the page may be about to go. */
export async function keepDraft(draft: Draft): Promise<void> {
  try {
    const store = await drafts('readwrite')
    store.put(pack(draft))
    store.transaction.commit()
  } catch {
    // The form goes on without a draft.
  }
}

/** Lets go of drafts that are old or many. */
export async function pruneDrafts(now: number): Promise<void> {
  try {
    const store = await drafts('readwrite')
    const all = (await answerOf(store.getAll())) as Packed[]
    const newestFirst = all.toSorted((a, b) => b.savedAt - a.savedAt)
    for (const [k, { id, savedAt }] of newestFirst.entries())
      if (k >= KEPT || savedAt < now - KEPT_MS) store.delete(id)
  } catch {
    // Nothing is kept here.
  }
}

export async function dropDraft(id: string): Promise<void> {
  try {
    const store = await drafts('readwrite')
    store.delete(id)
  } catch {
    // There is none.
  }
}
