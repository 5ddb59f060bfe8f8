import type { MrrVariableName } from '@radx/contracts'
import { type CsvDialect, csvFile } from '@radx/locale/csv'
import { productOf } from '../radar/api.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { MicroRainRadar } from './service.ts'

const radarOf = (context: AnswerContext) => new MicroRainRadar(context, async () => context.store)

/** Profiles of a period in columns, as the JSON that is sent. */
export const mrrPeriodAnswer: AnswerKind<{ product: string; span: Span }, { body: Uint8Array }> = {
  name: 'mrr-period',
  async run(context, { product, span }) {
    const period = await radarOf(context).period(productOf(context.store, { p: product }), span)
    return { body: new TextEncoder().encode(JSON.stringify(period)) }
  },
}

/** Profiles of an hour as the JSON that is sent. */
export const mrrHourAnswer: AnswerKind<{ span: Span; variable: MrrVariableName }, { body: Uint8Array }> = {
  name: 'mrr-hour',
  async run(context, { span, variable }) {
    const records = await radarOf(context).records(span, variable)
    return { body: new TextEncoder().encode(JSON.stringify(records)) }
  },
}

/** An hour of profiles as a file. */
export const mrrExportAnswer: AnswerKind<
  { span: Span; variable: MrrVariableName; format: 'csv' | 'netcdf' | 'png'; dialect: CsvDialect },
  { body: Uint8Array }
> = {
  name: 'mrr-export',
  async run(context, { span, variable, format, dialect }) {
    const mrr = radarOf(context)
    // The picture's bytes belong to the library that drew it: a copy can change threads.
    if (format === 'png') return { body: new Uint8Array(await mrr.exportPng(span, variable)) }
    if (format === 'netcdf') return { body: await mrr.exportNetcdf(span) }
    const text = csvFile(await mrr.exportCsv(span, variable), dialect)
    return { body: new TextEncoder().encode(text) }
  },
}
