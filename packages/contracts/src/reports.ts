import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'

/** A part of a report, in the order of reading. */
export const reportBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), text: shortText() }),
  z.object({ kind: z.literal('text'), text: longText() }),
  z.object({
    kind: z.literal('table'),
    caption: shortText(),
    head: list(shortText()),
    /** As shown; the first cell names its line. */
    rows: list(list(longText())),
  }),
  z.object({
    kind: z.literal('figure'),
    caption: shortText(),
    /** What it shows, for whom cannot see it. */
    alt: longText(),
    /** PNG, base64. */
    png: z.string().max(20_000_000),
    /** Size on the page, in its own proportion. */
    width: z.number(),
    height: z.number(),
  }),
])
export type ReportBlock = z.infer<typeof reportBlockSchema>

/** `GET /api/reports/event` and `/api/reports/run/{jobId}`: what the PDF holds, from the same template. */
export const reportSchema = z.object({
  title: shortText(),
  subtitle: longText(),
  /** File name of the PDF. */
  fileName: shortText(),
  /** Instant that the document carries: the end of what it reports, so that the same data give the same bytes. */
  dated: shortText(),
  blocks: list(reportBlockSchema),
})
export type Report = z.infer<typeof reportSchema>
