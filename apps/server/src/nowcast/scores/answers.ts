import type { NowcastScores } from '@radx/contracts'
import { type CsvDialect, csvFile } from '@radx/locale/csv'
import type { Span } from '../../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../../threads/answers.ts'
import { widestFirst } from '../products.ts'
import { ScoreStore } from './score-store.ts'
import { scoresCsv, summarizeScores } from './summary.ts'

type Input = Span & { untilMin: number }

/** Scores of the widest product that has any in the period. */
async function scoresOf({ store, db }: AnswerContext, { untilMin, ...span }: Input): Promise<NowcastScores> {
  const products = widestFirst(store)
  const kept = new ScoreStore(db)
  for (const { id, shortName } of products) {
    const rows = await kept.between({ id }, span)
    if (rows.length > 0) return summarizeScores(shortName, span, rows, untilMin)
  }
  return summarizeScores(products[0].shortName, span, [], untilMin)
}

export const scoresAnswer: AnswerKind<Input, NowcastScores> = { name: 'nowcast-scores', run: scoresOf }

export const scoresCsvAnswer: AnswerKind<Input & { dialect: CsvDialect }, { body: Uint8Array }> = {
  name: 'nowcast-scores-csv',
  async run(context, { dialect, ...input }) {
    return { body: new TextEncoder().encode(csvFile(scoresCsv(await scoresOf(context, input)), dialect)) }
  },
}
