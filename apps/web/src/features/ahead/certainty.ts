import { AHEAD_CERTAIN, AHEAD_LIKELY, type Watch } from '@radx/contracts/ahead'
import { aheadTexts as texts } from '../../texts/ahead.ts'

export type Level = 'certain' | 'likely' | 'possible'
const LEVELS = ['certain', 'likely', 'possible'] as const

/** What a probability is called. */
export const levelOf = (percent: number): Level =>
  percent >= AHEAD_CERTAIN ? 'certain' : percent >= AHEAD_LIKELY ? 'likely' : 'possible'

/** A sentence a level that something is in, the surest first. */
export function sentences(watch: readonly Watch[]): { level: Level; text: string }[] {
  return LEVELS.flatMap((level) => {
    const own = watch.filter(({ percent }) => levelOf(percent) === level)
    if (own.length === 0) return []
    const count = (kind: Watch['kind']) => own.filter((one) => one.kind === kind).length
    return [{ level, text: texts.words(texts[level], count('street'), count('node'), count('link')) }]
  })
}
