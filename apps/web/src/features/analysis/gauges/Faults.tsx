import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { ComparedGauge, GaugeComparison } from '@radx/contracts/gauges'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { civilInstant, zoneOffsetMs } from '@radx/locale/time'
import { useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { type FlagBody, useFlag, useLiftFlag } from './api.ts'
import classes from './GaugeComparison.module.css'
import { Scrolled } from './Scrolled.tsx'

interface Props {
  found: GaugeComparison
  gauge: ComparedGauge
  raw: boolean
}

/** What checks find at a gauge, what managers decided, and a manager's form. */
export function Faults({ found, gauge, raw }: Props) {
  const { timeZone } = useSite()
  const manager = useAuth(isManager)
  const lift = useLiftFlag()
  const span = ({ start, end }: { start: string; end: string }) =>
    `${formatDateTimeFr(start, timeZone)} – ${formatDateTimeFr(end, timeZone)}`
  const flags = found.flags.filter((flag) => flag.gauge === gauge.id)
  return (
    <div className={classes.wide}>
      {gauge.faults.length === 0 ? (
        <p className={classes.note}>{texts.noFaults}</p>
      ) : (
        <Scrolled label={texts.faultsOf(gauge.name)}>
          <DataTable
            caption={texts.faultsOf(gauge.name)}
            head={texts.faultHead}
            rows={gauge.faults.map((fault) => [
              span(fault),
              texts.faults[fault.fault],
              fault.kept ? texts.kept : raw ? texts.counted : texts.leftOut,
            ])}
          />
        </Scrolled>
      )}
      {flags.length > 0 && (
        <ul className={classes.flags} aria-label={texts.flags}>
          {flags.map((flag) => (
            <li key={flag.id} data-removed={flag.removedAt !== null || undefined}>
              <span>
                {span(flag)}, {texts.flagKinds[flag.kind]} ({flag.author},{' '}
                {formatDateTimeFr(flag.setAt, timeZone)})
              </span>
              <q>{flag.reason}</q>
              {flag.removedAt !== null ? (
                <span>
                  {texts.liftedBy(flag.removedBy ?? '', formatDateTimeFr(flag.removedAt, timeZone))}
                </span>
              ) : (
                manager && <TextButton onClick={() => lift.mutate(flag.id)}>{texts.flagLift}</TextButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {manager && <FlagForm found={found} gauge={gauge} />}
    </div>
  )
}

function FlagForm({ found, gauge }: Omit<Props, 'raw'>) {
  const { timeZone } = useSite()
  const flag = useFlag()
  const local = (iso: string) => {
    const ms = Date.parse(iso)
    return new Date(ms + zoneOffsetMs(ms, timeZone)).toISOString().slice(0, 16)
  }
  const [start, setStart] = useState<string | null>(local(found.start))
  const [end, setEnd] = useState<string | null>(local(found.end))
  const [kind, setKind] = useState<FlagBody['kind']>('exclude')
  const [reason, setReason] = useState('')
  const instant = (text: string) => {
    const [y, m, d, h, min] = text.split(/\D/).map(Number)
    return new Date(civilInstant(timeZone, y, m, d, h, min)).toISOString()
  }
  const submit = () => {
    if (!start || !end) return
    flag.mutate(
      { gauge: gauge.id, start: instant(start), end: instant(end), kind, reason },
      { onSuccess: () => setReason('') },
    )
  }
  return (
    <details className={classes.add}>
      <summary>{texts.flagNew}</summary>
      <div className={classes.bar}>
        <DateField withTime label={texts.flagStart} value={start} onChange={setStart} />
        <DateField withTime label={texts.flagEnd} value={end} onChange={setEnd} />
        <NativeSelect
          label={texts.flagKind}
          value={kind}
          data={Object.entries(texts.flagKinds).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => setKind(currentTarget.value as FlagBody['kind'])}
        />
        <TextInput
          label={texts.flagReason}
          value={reason}
          maxLength={600}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button
          variant="default"
          loading={flag.isPending}
          disabled={reason.trim() === '' || !start || !end}
          onClick={submit}
        >
          {texts.flagSave}
        </Button>
      </div>
      {flag.error && <Message kind="error">{genericErrorText(flag.error)}</Message>}
    </details>
  )
}
