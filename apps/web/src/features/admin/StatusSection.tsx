import type { Verification } from '@radx/contracts/radar'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../app/site.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './AdminScreen.module.css'
import { statusQuery } from './api.ts'

const texts = adminTexts.status
const MB = 1e6

/** What a manager looks at when something seems wrong: acquisition, and whether what is stored is still sound. */
export function StatusSection() {
  const { timeZone } = useSite()
  const { data, error } = useQuery(statusQuery)
  const at = (instant: string | null) => (instant === null ? texts.none : formatDateTimeFr(instant, timeZone))
  return (
    <section className={classes.section} aria-labelledby="status-title">
      <h2 id="status-title">{texts.title}</h2>
      {error && <Message kind="error">{texts.failed}</Message>}
      {data && (
        <dl className={classes.facts}>
          <dt>{texts.version}</dt>
          <dd>{data.version}</dd>
          <dt>{texts.latest}</dt>
          <dd>{at(data.latestFrame)}</dd>
          <dt>{texts.inbox}</dt>
          <dd>
            {formatNumberFr(data.inbox.waiting, 0)} / {formatNumberFr(data.inbox.rejected, 0)}
          </dd>
          <dt>{texts.verified}</dt>
          <dd>{data.verification ? <Result last={data.verification} at={at} /> : texts.never}</dd>
        </dl>
      )}
    </section>
  )
}

function Result({ last, at }: { last: Verification; at: (instant: string) => string }) {
  const count = (n: number) => formatNumberFr(n, 0)
  const size = `${formatNumberFr(last.bytes / MB, 0)} Mo`
  return (
    <>
      {at(last.at)}
      <br />
      {texts.found(count(last.checked), size)}
      {last.repaired > 0 && `, ${texts.repaired(count(last.repaired))}`}
      <br />
      {last.damaged > 0 ? <strong>{texts.damaged(count(last.damaged))}</strong> : texts.sound}
    </>
  )
}
