import { ALERT_UNITS, type AlertMeasure, type AlertSeverity } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { isOutsideDates } from '../../http/sessions.ts'
import type { NoticeRow } from '../tables.ts'
import { quantityFr } from '../words.ts'

const SEVERITY_FR: Record<AlertSeverity, string> = {
  info: 'Information',
  warning: 'Vigilance',
  critical: 'Critique',
}

/** What a notice says, whichever way it goes. */
export interface Message {
  /** Of the notice: a receiver that gets it twice knows it by this. */
  id: string
  title: string
  text: string
  severity: AlertSeverity
  /** The alert, for machines. */
  body: Record<string, unknown>
}

/**
 * The words of a notice as things stand now: one that was held says what became of the alert.
 * @returns null when the account may not see the alert (any more)
 */
export async function messageOf(
  db: Kysely<Database>,
  { id, alert_id, event }: NoticeRow,
  timeZone: string,
  publicUrl: string | null,
): Promise<Message | null> {
  const row = await db
    .selectFrom('alert as a')
    .innerJoin('alert_rule as r', 'r.id', 'a.rule_id')
    .innerJoin('account as c', 'c.name', 'a.username')
    .selectAll('a')
    .select(['r.name as rule', 'r.measure', 'c.restriction_start', 'c.restriction_end', 'c.disabled_at'])
    .where('a.id', '=', alert_id)
    .executeTakeFirst()
  if (!row || row.disabled_at !== null) return null
  const dates = { start: row.restriction_start, end: row.restriction_end }
  if (isOutsideDates(dates, row.crossing, row.crossing)) return null
  const { kind } = row.measure as AlertMeasure
  const at = (date: Date) => formatDateTimeFr(date.getTime(), timeZone)
  const lines = [`${row.reason}.`]
  if (event === 'escalated')
    lines.push('Personne n’a pris cette alerte en charge\u00a0: elle est devenue critique.')
  if (row.peak !== null && row.value !== null && row.peak > row.value)
    lines.push(`Maximum depuis\u00a0: ${quantityFr(kind, row.peak)}.`)
  if (row.acknowledged_at) lines.push(`Prise en charge le ${at(row.acknowledged_at)}.`)
  if (row.ended_at) lines.push(`Terminée le ${at(row.ended_at)}.`)
  const iso = (date: Date | null) => date?.toISOString() ?? null
  return {
    id,
    severity: row.severity,
    title: `${SEVERITY_FR[row.severity]}\u00a0: ${row.rule}`,
    text: lines.join('\n'),
    body: {
      ...{ id, event },
      alert: {
        ...{ id: row.id, rule: row.rule, kind, cause: row.cause, severity: row.severity },
        ...{ threshold: row.threshold, value: row.value, peak: row.peak, unit: ALERT_UNITS[kind] },
        ...{ reason: row.reason, crossing: iso(row.crossing), raised: iso(row.raised_at) },
        ...{ acknowledged: iso(row.acknowledged_at), ended: iso(row.ended_at) },
      },
      url: publicUrl === null ? null : new URL('/alertes', publicUrl).href,
    },
  }
}
