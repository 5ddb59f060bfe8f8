import { aheadAnswer } from './ahead/answers.ts'
import { inspectAnswer, previewAnswer } from './builder/drafts/answers.ts'
import { cardAnswer } from './cards/drawing.ts'
import { csvAnswer, graphAnswer, spreadsheetAnswer } from './exports/answers.ts'
import { rasterHeadAnswer, rasterPartAnswer } from './exports/raster.ts'
import { firstLookAnswer } from './first-look.ts'
import { adjustedCsvAnswer, adjustedFramesAnswer, adjustmentAnswer } from './gauges/adjusted-answers.ts'
import { comparisonAnswer } from './gauges/comparison.ts'
import { gaugeDayAnswer } from './gauges/waiting-days.ts'
import { mrrExportAnswer, mrrHourAnswer, mrrPeriodAnswer } from './mrr/answers.ts'
import { networkAnswer, takeAnswer } from './networks/answers.ts'
import { chancesAnswer, membersAnswer, nowcastAnswer, nowcastSkill } from './nowcast/answers.ts'
import { scoresAnswer, scoresCsvAnswer } from './nowcast/scores/answers.ts'
import { edrGridAnswer, edrLocationAnswer, edrPositionAnswer } from './ogc/edr/answers.ts'
import { edrTrajectoryAnswer } from './ogc/edr/trajectory.ts'
import { elementsAnswer } from './ogc/features/elements.ts'
import { runPictureAnswer } from './ogc/maps/run-pictures.ts'
import { wmsPictureAnswer } from './ogc/wms/answers.ts'
import { accumulationAnswer, pixelSeriesAnswer } from './radar/answers.ts'
import { reportAnswer, reportPdfAnswer } from './reports/answers.ts'
import { productComparisonAnswer } from './reprocessing/comparison.ts'
import { scalingAnswer } from './scaling/analysis.ts'
import { batteryZipAnswer } from './simulation/battery/battery-routes.ts'
import { zipAnswer } from './simulation/catchment/own-routes.ts'
import { importAnswer } from './simulation/catchment/upload.ts'
import { takeRainAnswer } from './simulation/rain/own/own-rains.ts'
import { resultAnswer } from './simulation/result/result-answers.ts'
import { returnPeriodsAnswer } from './storms/depths.ts'
import { statisticsAnswer } from './storms/statistics.ts'
import { correctedAnswer, measuredAnswer, sweepRayAnswer, volumeSectionAnswer } from './sweeps/answers.ts'
import type { AnswerKind } from './threads/answers.ts'

/** Every kind of answer that is made in a thread; a feature adds its line. */
export const answerKinds: readonly AnswerKind<never, unknown>[] = [
  graphAnswer,
  spreadsheetAnswer,
  csvAnswer,
  rasterHeadAnswer,
  rasterPartAnswer,
  accumulationAnswer,
  comparisonAnswer,
  gaugeDayAnswer,
  firstLookAnswer,
  adjustmentAnswer,
  adjustedFramesAnswer,
  adjustedCsvAnswer,
  pixelSeriesAnswer,
  edrPositionAnswer,
  wmsPictureAnswer,
  cardAnswer,
  elementsAnswer,
  edrLocationAnswer,
  edrGridAnswer,
  edrTrajectoryAnswer,
  runPictureAnswer,
  resultAnswer,
  batteryZipAnswer,
  takeRainAnswer,
  importAnswer,
  zipAnswer,
  returnPeriodsAnswer,
  statisticsAnswer,
  scalingAnswer,
  mrrPeriodAnswer,
  mrrHourAnswer,
  mrrExportAnswer,
  nowcastAnswer,
  nowcastSkill,
  chancesAnswer,
  membersAnswer,
  scoresAnswer,
  scoresCsvAnswer,
  reportAnswer,
  reportPdfAnswer,
  takeAnswer,
  networkAnswer,
  aheadAnswer,
  inspectAnswer,
  previewAnswer,
  measuredAnswer,
  correctedAnswer,
  sweepRayAnswer,
  volumeSectionAnswer,
  productComparisonAnswer,
]
