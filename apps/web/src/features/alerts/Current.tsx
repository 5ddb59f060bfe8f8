import { Button } from '@mantine/core'
import type { Alert } from '@radx/contracts/alerts'
import { ALERT_UNITS } from '@radx/contracts/alerts-constants'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { alertTexts as texts } from '../../texts/alerts.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './Alerts.module.css'
import { useAlertAction } from './api.ts'
import { More, useFirst } from './More.tsx'

/** What goes on, and what its owner can do about it. */
export function Current({ alerts, hasRules }: { alerts: Alert[]; hasRules: boolean }) {
  const act = useAlertAction()
  const { first, ...rest } = useFirst(alerts)
  return (
    <section aria-labelledby="current">
      <h2 id="current">{texts.current}</h2>
      {alerts.length === 0 && <p className={classes.dim}>{hasRules ? texts.none : texts.noRules}</p>}
      {act.error && <Message kind="error">{serverErrorText(act.error)}</Message>}
      <ul className={classes.list} hidden={alerts.length === 0}>
        {first.map((alert) => (
          <li key={alert.id} data-severity={alert.severity}>
            <Line alert={alert} />
            <div className={classes.actions}>
              {(['acknowledge', 'snooze', 'end'] as const)
                .filter((action) => action !== 'acknowledge' || alert.acknowledged === null)
                .map((action) => (
                  <Button
                    key={action}
                    size="compact-md"
                    variant="default"
                    disabled={act.isPending}
                    aria-label={texts.of(texts[action], alert.rule)}
                    onClick={() => act.mutate({ id: alert.id, action })}
                  >
                    {texts[action]}
                  </Button>
                ))}
            </div>
          </li>
        ))}
      </ul>
      <More {...rest} />
    </section>
  )
}

function Line({ alert }: { alert: Alert }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const { rule, severity, cause, reason, crossing, acknowledged, snoozedUntil, escalated, value, peak } =
    alert
  const quantity = (number: number) => `${formatNumberFr(number, 2, true)} ${ALERT_UNITS[alert.kind]}`
  return (
    <div>
      <h3>{rule}</h3>
      <p>
        <b>{texts.severity[severity]}</b>
        <span>{texts.cause[cause]}</span>
        <span>{texts.since(at(crossing))}</span>
        {value !== null && peak !== null && <span>{texts.value(quantity(value), quantity(peak))}</span>}
        {escalated && <span>{texts.escalated(at(escalated))}</span>}
        {acknowledged && <span>{texts.acknowledged(at(acknowledged))}</span>}
        {snoozedUntil && <span>{texts.snoozedUntil(at(snoozedUntil))}</span>}
      </p>
      <p>{punctuated(reason)}</p>
    </div>
  )
}
