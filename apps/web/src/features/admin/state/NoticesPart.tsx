import type { AdminNotices } from '@radx/contracts/alert-notices'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { noticeTexts } from '../../../texts/alert-notices.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'

const texts = noticeTexts.state

const noticesQuery = queryOptions({
  queryKey: ['admin', 'notices'],
  queryFn: ({ signal }) => callJson<AdminNotices>('/api/admin/notices', { signal }),
  staleTime: 0,
  refetchInterval: 30_000,
})

/** How notices of alerts go out, and what does not. */
export function NoticesPart() {
  const { data, error } = useQuery(noticesQuery)
  return (
    <section className={classes.section} aria-labelledby="notices-title">
      <h2 id="notices-title">{texts.title}</h2>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {!data && !error && <p role="status">{administrationTexts.loading}</p>}
      {data && (
        <dl className={classes.facts}>
          {data.channels.map((channel) => (
            <Channel key={channel.channel} of={channel} hasMail={data.hasMail} />
          ))}
        </dl>
      )}
    </section>
  )
}

function Channel({ of, hasMail }: { of: AdminNotices['channels'][number]; hasMail: boolean }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const { channel, waiting, retried, held, sent, failed, oldest, lastSent, lastError, lastErrorAt } = of
  return (
    <>
      <dt>{noticeTexts.channel[channel]}</dt>
      <dd>
        {texts.counts(waiting, held, sent, failed)}
        {channel === 'email' && !hasMail && `, ${texts.noMail}`}
        {lastSent && `, ${texts.lastSent(at(lastSent))}`}
        {retried > 0 && oldest && (
          <>
            <br />
            <strong>{texts.retried(retried, at(oldest))}</strong>
          </>
        )}
        {lastError && lastErrorAt && (
          <>
            <br />
            {texts.lastError(at(lastErrorAt), lastError)}
          </>
        )}
      </dd>
    </>
  )
}
