import { csvAnswer, graphAnswer, spreadsheetAnswer } from './exports/answers.ts'
import { nowcastAnswer } from './nowcast/answers.ts'
import { accumulationAnswer, pixelSeriesAnswer } from './radar/answers.ts'
import { reportAnswer, reportPdfAnswer } from './reports/answers.ts'
import { returnPeriodsAnswer } from './storms/depths.ts'
import { statisticsAnswer } from './storms/statistics.ts'
import type { AnswerKind } from './threads/answers.ts'

/** Every kind of answer that is made in a thread; a feature adds its line. */
export const answerKinds: readonly AnswerKind<never, unknown>[] = [
  graphAnswer,
  spreadsheetAnswer,
  csvAnswer,
  accumulationAnswer,
  pixelSeriesAnswer,
  returnPeriodsAnswer,
  statisticsAnswer,
  nowcastAnswer,
  reportAnswer,
  reportPdfAnswer,
]
