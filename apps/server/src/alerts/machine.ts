/** One value of what a rule looks at. */
export interface Sample {
  timeMs: number
  /** null: not known. */
  value: number | null
  /** What it is at least, where it is not known as a whole. */
  atLeast?: number
}

/** What of a rule decides. */
export interface Limits {
  threshold: number
  /** An alert ends below it; at most the threshold. */
  clear: number
  /** From the first value over the threshold to the alert. */
  minMs: number
  /** Without a value for so long the rule is blind; null: it never is. */
  blindMs: number | null
}

/** Where a rule stands. It is kept as JSON. */
export interface AlertState {
  phase: 'below' | 'pending' | 'raised'
  /** First moment over the threshold of what is pending or raised. */
  sinceMs: number | null
  /** Samples up to here were looked at. */
  seenMs: number
  /** The last moment with a value, or that at which the rule was switched on. */
  knownMs: number
  /** Whether the absence of values was told. */
  isBlind: boolean
}

/** What a rule's owner is told of, and the log has. */
export type Change =
  | { what: 'raised'; crossingMs: number; atMs: number; value: number }
  | { what: 'ended'; crossingMs: number; atMs: number; value: number }
  /** No value since `crossingMs`. */
  | { what: 'blind'; crossingMs: number; atMs: number }
  | { what: 'seeing'; crossingMs: number; atMs: number }

export const startState = (nowMs: number): AlertState => ({
  phase: 'below',
  sinceMs: null,
  seenMs: nowMs,
  knownMs: nowMs,
  isBlind: false,
})

/**
 * Takes a rule one sample on. A sample at or before the last one changes nothing, so that a period may be gone over twice.
 * One without a value neither ends an alert nor a wait for one: what is not known is not dry.
 */
export function step(state: AlertState, sample: Sample, limits: Limits): [AlertState, Change[]] {
  if (!(sample.timeMs > state.seenMs)) return [state, []]
  const value = sample.value ?? (surely(sample, limits) ? sample.atLeast! : null)
  if (value === null) {
    const [next, changes] = tick(state, sample.timeMs, limits)
    return [{ ...next, seenMs: sample.timeMs }, changes]
  }
  // What was not there until now may have been too long away.
  const [before, told] = tick(state, sample.timeMs, limits)
  const changes = [...told]
  if (before.isBlind) changes.push({ what: 'seeing', crossingMs: before.knownMs, atMs: sample.timeMs })
  const { next, change } = cross(before, sample.timeMs, value, limits)
  if (change) changes.push(change)
  return [{ ...next, seenMs: sample.timeMs, knownMs: sample.timeMs, isBlind: false }, changes]
}

/** Time goes on without a sample. Only the absence of values is told, at the same moment as a late look would find. */
export function tick(state: AlertState, nowMs: number, { blindMs }: Limits): [AlertState, Change[]] {
  if (blindMs === null || state.isBlind || nowMs < state.knownMs + blindMs) return [state, []]
  const change: Change = { what: 'blind', crossingMs: state.knownMs, atMs: state.knownMs + blindMs }
  return [{ ...state, isBlind: true }, [change]]
}

/** A bound over the threshold tells; one below it does not. */
const surely = ({ atLeast }: Sample, { threshold }: Limits) => atLeast !== undefined && atLeast >= threshold

function cross(
  state: AlertState,
  timeMs: number,
  value: number,
  { threshold, clear, minMs }: Limits,
): { next: AlertState; change: Change | null } {
  if (state.phase === 'raised') {
    if (value >= clear) return { next: state, change: null }
    const change = { what: 'ended', crossingMs: state.sinceMs!, atMs: timeMs, value } as const
    return { next: { ...state, phase: 'below', sinceMs: null }, change }
  }
  if (value < threshold) return { next: { ...state, phase: 'below', sinceMs: null }, change: null }
  const sinceMs = state.sinceMs ?? timeMs
  if (timeMs - sinceMs < minMs) return { next: { ...state, phase: 'pending', sinceMs }, change: null }
  return {
    next: { ...state, phase: 'raised', sinceMs },
    change: { what: 'raised', crossingMs: sinceMs, atMs: timeMs, value },
  }
}

/** Takes a rule over samples in the order of time. */
export function run(
  state: AlertState,
  samples: readonly Sample[],
  limits: Limits,
): { state: AlertState; changes: Change[] } {
  const changes: Change[] = []
  let now = state
  for (const sample of samples) {
    const [next, found] = step(now, sample, limits)
    now = next
    changes.push(...found)
  }
  return { state: now, changes }
}
