import type { AheadCycle } from '@radx/contracts/ahead'
import { aheadTexts as texts } from '../../texts/ahead.ts'

const LEVELS = ['certain', 'likely', 'possible'] as const
export type Level = (typeof LEVELS)[number]

type Counted = Pick<AheadCycle, 'counts' | 'members'>

/** A sentence a level that something is in, the surest first; one course alone is sure of nothing. */
export function sentences({ counts, members }: Counted): { level: Level | 'alone'; text: string }[] {
  const numberOf = (kind: string, levels: readonly Level[]) => {
    const own = counts.find((one) => one.kind === kind)
    return own ? levels.reduce((sum, level) => sum + own[level], 0) : 0
  }
  const tell = (word: string, levels: readonly Level[]) => {
    const [streets, nodes, links] = ['street', 'node', 'link'].map((kind) => numberOf(kind, levels))
    return streets + nodes + links === 0 ? null : texts.words(word, streets, nodes, links)
  }
  const told =
    members === 0
      ? [{ level: 'alone' as const, text: tell(texts.forecastAlone, LEVELS) }]
      : LEVELS.map((level) => ({ level, text: tell(texts[level], [level]) }))
  return told.flatMap(({ level, text }) => (text === null ? [] : [{ level, text }]))
}
