import { UsageError } from './command.ts'

/** An instant that an option gives, ms. @throws UsageError without a zone, and without a value */
export function givenInstant(option: string, text: string | undefined): number {
  const ms = text && /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new UsageError(`--${option} attend un instant comme 2024-06-01T00:00:00Z`)
  return ms
}
