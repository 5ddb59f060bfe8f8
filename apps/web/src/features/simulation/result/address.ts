/** Analyses of a finished run that can be opened. */
export const RESULT_VIEWS = ['swmm', 'depth', 'evolution', 'ensemble'] as const
export type ResultView = (typeof RESULT_VIEWS)[number]

/** The run that the shown one is compared with; both empty without one. */
export interface Reference {
  id: string
  /** As it was when chosen: names the run even when it has been deleted since. */
  title: string
}

export const NO_REFERENCE: Reference = { id: '', title: '' }

/** What the parts of a result share, as the page's address carries it. */
export interface ResultAddress {
  /** Names of the open outputs, also those that nobody knows; empty at start. */
  outputs: readonly string[]
  reference: Reference
  /** Seconds since the start of the run. */
  timeS: number
}

const KEYS = { outputs: 'sortie', id: 'reference', title: 'titre', time: 't' } as const

export function readAddress(params: URLSearchParams): ResultAddress {
  const id = params.get(KEYS.id) ?? ''
  const time = Number(params.get(KEYS.time) ?? 0)
  return {
    outputs: [...new Set((params.get(KEYS.outputs) ?? '').split(',').filter((name) => name !== ''))],
    reference: id === '' ? NO_REFERENCE : { id, title: params.get(KEYS.title) ?? '' },
    timeS: time > 0 && Number.isFinite(time) ? time : 0,
  }
}

/** The address after a change; what is empty is left out, what belongs to others stays. */
export function writeAddress(before: URLSearchParams, change: Partial<ResultAddress>): URLSearchParams {
  const next = { ...readAddress(before), ...change }
  const params = new URLSearchParams(before)
  const set = (key: string, value: string) => (value === '' ? params.delete(key) : params.set(key, value))
  set(KEYS.outputs, next.outputs.join(','))
  set(KEYS.id, next.reference.id)
  set(KEYS.title, next.reference.id === '' ? '' : next.reference.title)
  set(KEYS.time, next.timeS > 0 ? String(Math.round(next.timeS)) : '')
  return params
}

export const isResultView = (name: string): name is ResultView =>
  (RESULT_VIEWS as readonly string[]).includes(name)

/** Opens a view or closes it; a name that nobody knows goes with the first choice. */
export function toggleView(outputs: readonly string[], view: ResultView, open: boolean): string[] {
  const others = outputs.filter((name) => isResultView(name) && name !== view)
  return open ? [...others, view] : others
}
