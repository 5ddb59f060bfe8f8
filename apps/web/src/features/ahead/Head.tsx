import { Button, NativeSelect } from '@mantine/core'
import type { AheadCycle, AheadOverview } from '@radx/contracts/ahead'
import { formatDateTimeFr, formatHourMinuteFr } from '@radx/locale/format-fr'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { serverErrorText } from '../../app/api/errors.ts'
import { isManager, useAuth } from '../../app/auth/store.ts'
import { useOnline } from '../../app/online.ts'
import { useSite } from '../../app/site.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AheadScreen.module.css'
import type { Address } from './address.ts'
import { cyclesQuery, overviewQuery, switchLive } from './api.ts'

export type LiveCatchment = AheadOverview['catchments'][number]

interface Props {
  catchments: readonly LiveCatchment[]
  shown: LiveCatchment
  address: Address
  change(values: Partial<Address>): void
}

/** Which catchment, which moment, and whether it is forecast. */
export function Choice({ catchments, shown, address, change }: Props) {
  const { timeZone } = useSite()
  const kept = useQuery(cyclesQuery(shown.id, shown.newest?.issued ?? null))
  const done = (kept.data?.cycles ?? []).filter(({ status }) => status === 'done')
  return (
    <div className={classes.bar}>
      <NativeSelect
        label={texts.catchment}
        value={shown.id}
        data={catchments.map(({ id, display }) => ({ value: id, label: display }))}
        onChange={({ currentTarget }) => change({ c: currentTarget.value, t: null, at: 0, place: null })}
      />
      <NativeSelect
        label={texts.cycle}
        value={address.t ?? ''}
        data={[
          { value: '', label: texts.newest },
          ...(address.t !== null && !done.some(({ issued }) => issued === address.t)
            ? [{ value: address.t, label: formatDateTimeFr(address.t, timeZone) }]
            : []),
          ...done.map(({ issued }) => ({ value: issued, label: formatDateTimeFr(issued, timeZone) })),
        ]}
        onChange={({ currentTarget }) => change({ t: currentTarget.value || null })}
      />
      <Switch shown={shown} />
    </div>
  )
}

function Switch({ shown }: { shown: LiveCatchment }) {
  const manager = useAuth(isManager)
  const client = useQueryClient()
  const turn = useMutation({
    mutationFn: () => switchLive(shown.id, !shown.enabled),
    onSuccess: (overview) => client.setQueryData(overviewQuery.queryKey, overview),
  })
  if (!manager) return null
  return (
    <>
      <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
        {shown.enabled ? texts.turnOff : texts.turnOn}
      </Button>
      {turn.error && <Message kind="error">{serverErrorText(turn.error)}</Message>}
    </>
  )
}

/** Nothing new comes: what is on the page is of the last answer. */
export function Silence({ answered, failed }: { answered: string; failed: boolean }) {
  const { timeZone } = useSite()
  const online = useOnline()
  if (online && !failed) return null
  const since = formatHourMinuteFr(answered, timeZone)
  return <Message kind="warning">{online ? texts.silent(since) : texts.offline(since)}</Message>
}

/** What is not known is as loud as what is. */
export function Notices({ shown, isPast }: { shown: LiveCatchment; isPast: boolean }) {
  const manager = useAuth(isManager)
  const { timeZone } = useSite()
  if (!shown.enabled)
    return <Message kind="warning">{`${texts.off} ${manager ? texts.offManager : texts.offUser}`}</Message>
  if (isPast) return null
  return (
    <>
      <Waits shown={shown} />
      {shown.failed && (
        <Message kind="warning">
          {texts.failed(formatHourMinuteFr(shown.failed.issued, timeZone), shown.failed.reason ?? '')}
        </Message>
      )}
    </>
  )
}

function Waits({ shown: { wait, current } }: { shown: LiveCatchment }) {
  const { timeZone } = useSite()
  if (wait === null) return null
  const stage = wait === 'computing' && current ? texts.stages[current.status] : undefined
  return (
    <Message kind={wait === 'no-frame' ? 'warning' : 'nfo'}>
      {current && stage
        ? texts.computing(formatHourMinuteFr(current.issued, timeZone), stage)
        : texts.waits[wait]}
    </Message>
  )
}

/** When the forecast was made, how late, and how far it goes. */
export function About({
  cycle,
  nowMs,
  isPast,
  onNewest,
}: {
  cycle: AheadCycle
  nowMs: number
  isPast: boolean
  onNewest(): void
}) {
  const { timeZone } = useSite()
  const { issued, delayS, skipped, missingShare, unknownShare, times, rainUntil, members, alike } = cycle
  const clock = (time: string) => formatHourMinuteFr(time, timeZone)
  const age = Math.max(0, Math.round((nowMs - Date.parse(issued)) / 60_000))
  const facts = [
    isPast
      ? texts.past(formatDateTimeFr(issued, timeZone))
      : texts.issuedAt(formatDateTimeFr(issued, timeZone)),
    ...(isPast ? [] : [texts.age(age)]),
    ...(delayS === null ? [] : [texts.delay(delayS)]),
    ...(skipped > 0 ? [texts.skipped(skipped)] : []),
    ...(times.length === 0 || members === 0 ? [] : [texts.members(members)]),
  ]
  const lost = unknownShare.findIndex((share) => share > 0.1)
  return (
    <div className={classes.about}>
      <p>
        {facts.join(', ')}. {isPast && <TextButton onClick={onNewest}>{texts.toNewest}</TextButton>}
      </p>
      {rainUntil !== null && Date.parse(rainUntil) > Date.parse(issued) && times.length > 0 && (
        <p className={classes.note}>{texts.horizon(clock(rainUntil), clock(times[times.length - 1]))}</p>
      )}
      {times.length > 0 && members === 0 && (
        <Message kind={alike ? 'nfo' : 'warning'}>{alike ? texts.alike : texts.alone}</Message>
      )}
      {missingShare !== null && missingShare > 0.02 && (
        <Message kind="warning">{texts.missing(missingShare)}</Message>
      )}
      {lost >= 0 && <Message kind="warning">{texts.unknown(clock(times[lost]))}</Message>}
    </div>
  )
}
