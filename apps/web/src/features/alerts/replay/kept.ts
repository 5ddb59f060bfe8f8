import type { AlertReplayBody } from '@radx/contracts/alerts'
import type { Draft } from '../draft.ts'
import type { EventDraft } from './replay-draft.ts'
import type { Trial } from './useReplay.ts'

/** A form that is not saved yet, with its trial if there is one, kept until it is, also over a reload of the page. */
export interface KeptTrial {
  account: string
  /** Id of the rule, or `new`. */
  rule: string
  draft: Draft
  start: string | null
  end: string | null
  /** null goes along with the rule. */
  event: EventDraft | null
  /** Under way, with what was asked for. */
  job: { id: string; body: AlertReplayBody } | null
  trial: Trial | null
}

const KEY = 'radx-rule-trial'

export const hasTrial = ({ job, trial }: KeptTrial): boolean => job !== null || trial !== null

/** What this tab keeps for an account; null without, or where storage is closed. */
export function keptTrial(account: string): KeptTrial | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptTrial | null
    return kept?.account === account ? kept : null
  } catch {
    return null
  }
}

export function keepTrial(kept: KeptTrial | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Closed or full: it stays on the page alone.
  }
}
