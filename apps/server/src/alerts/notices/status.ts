import { type AdminNotices, NOTICE_CHANNELS, type NoticeChannel } from '@radx/contracts'
import { sql } from 'kysely'
import type { Deps } from '../../http/app.ts'

interface Row {
  channel: NoticeChannel
  waiting: number
  retried: number
  held: number
  sent: number
  failed: number
  oldest: Date | null
  last_sent: Date | null
  last_error: string | null
  last_error_at: Date | null
}

/** How notices go out, for those who run the server. */
export async function noticesStatus({ db, clock, config }: Deps): Promise<AdminNotices> {
  const now = clock.now()
  const since = new Date(now - 86_400_000)
  const { rows } = await sql<Row>`
    select channel,
      count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'waiting' and error is not null)::int as retried,
      count(*) filter (where status = 'held')::int as held,
      count(*) filter (where status = 'sent' and done_at > ${since})::int as sent,
      count(*) filter (where status = 'failed' and done_at > ${since})::int as failed,
      min(created_at) filter (where status = 'waiting') as oldest,
      max(done_at) filter (where status = 'sent') as last_sent,
      (array_agg(error order by error_at desc) filter (where error is not null))[1] as last_error,
      max(error_at) as last_error_at
    from alert_notice group by channel`.execute(db)
  const iso = (date: Date | null | undefined) => date?.toISOString() ?? null
  return {
    now: new Date(now).toISOString(),
    hasMail: config.notices.smtpUrl !== null,
    channels: NOTICE_CHANNELS.map((channel) => {
      const row = rows.find((one) => one.channel === channel)
      const { waiting = 0, retried = 0, held = 0, sent = 0, failed = 0 } = row ?? {}
      return {
        ...{ channel, waiting, retried, held, sent, failed, oldest: iso(row?.oldest) },
        ...{ lastSent: iso(row?.last_sent), lastError: row?.last_error ?? null },
        lastErrorAt: iso(row?.last_error_at),
      }
    }),
  }
}
