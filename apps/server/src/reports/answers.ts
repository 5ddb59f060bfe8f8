import type { MontanaTable, Report } from '@radx/contracts'
import type { AnswerKind } from '../threads/answers.ts'
import { type EventReportInput, eventReport } from './event.ts'
import { reportPdf } from './pdf.ts'
import { runReport } from './run.ts'

export type ReportInput =
  | { of: 'event'; event: EventReportInput }
  | { of: 'run'; jobId: string; table: MontanaTable | null }

/** A report as its blocks, for the page. */
export const reportAnswer: AnswerKind<ReportInput, Report> = {
  name: 'report',
  run: (context, input) =>
    input.of === 'event' ? eventReport(context, input.event) : runReport(context, input.jobId, input.table),
}

/** The same as PDF. */
export const reportPdfAnswer: AnswerKind<ReportInput, { name: string; body: Uint8Array }> = {
  name: 'report-pdf',
  async run(context, input) {
    const report = await reportAnswer.run(context, input)
    return { name: report.fileName, body: await reportPdf(report) }
  },
}
