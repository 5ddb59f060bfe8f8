import { Button } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useInfiniteQuery } from '@tanstack/react-query'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { alertTexts as texts } from '../../texts/alerts.ts'
import { Message } from '../../ui/Message.tsx'
import { TableHead } from '../../ui/TableHead.tsx'
import classes from './Alerts.module.css'
import { logQuery } from './api.ts'

/** All that happened to alerts, newest first. */
export function Log() {
  const { timeZone } = useSite()
  const log = useInfiniteQuery(logQuery)
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <section aria-labelledby="log">
      <h2 id="log">{texts.log}</h2>
      {log.error && <Message kind="error">{serverErrorText(log.error)}</Message>}
      {log.data && entries.length === 0 && <p className={classes.dim}>{texts.logEmpty}</p>}
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys too
        <section className={classes.table} aria-label={texts.logCaption} tabIndex={0}>
          <table>
            <caption>{texts.logCaption}</caption>
            <TableHead names={texts.logHead} />
            <tbody>
              {entries.map(({ id, at, rule, what, detail }) => (
                <tr key={id}>
                  <td>{formatDateTimeFr(at, timeZone)}</td>
                  <td>{rule}</td>
                  <td>{texts.what[what]}</td>
                  <td>{punctuated(detail)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {log.hasNextPage && (
        <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </section>
  )
}
