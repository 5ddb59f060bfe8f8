import { Link } from 'react-router'
import { useAddressParams } from '../../app/address-params.ts'
import { serverErrorText } from '../../app/api/errors.ts'
import { isSignedIn, useAuth } from '../../app/auth/store.ts'
import { useSite } from '../../app/site.ts'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { allowedDays, isOutside, restrictionNotice } from '../../texts/restriction.ts'
import { Message } from '../../ui/Message.tsx'
import { type MrrAddress, readAddress, writeAddress } from './address.ts'
import { useCalendar, useDay, useDemoHour, useHour } from './api.ts'
import { ColourSettings } from './ColourSettings.tsx'
import { DayCalendar } from './DayCalendar.tsx'
import { HourExplorer } from './HourExplorer.tsx'
import { HourSelector } from './HourSelector.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import classes from './MrrScreen.module.css'
import { WINDOW_MS } from './records.ts'

export default function MrrScreen() {
  const [params, setParams] = useAddressParams()
  const address = readAddress(params)
  const change = (next: Partial<MrrAddress>) =>
    setParams((before) => writeAddress(before, next), { replace: false, preventScrollReset: false })
  const signedIn = useAuth(isSignedIn)
  return (
    <div className={classes.root}>
      <header className={classes.intro}>
        <h1>{texts.title}</h1>
        <p>{texts.lead}</p>
        <dl className={classes.facts}>
          {texts.facts.map(({ value, unit, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {value} <span className="rx-unit">{unit}</span>
              </dd>
            </div>
          ))}
        </dl>
      </header>
      <HowItWorks />
      {signedIn ? (
        <Explorer address={address} change={change} />
      ) : (
        <Demonstration address={address} change={change} />
      )}
    </div>
  )
}

interface Props {
  address: MrrAddress
  change: (next: Partial<MrrAddress>) => void
}

function Explorer({ address, change }: Props) {
  const { civilZone } = useSite()
  const restriction = useAuth((state) => state.restriction)
  const notice = restrictionNotice(restriction, civilZone)
  const calendar = useCalendar(true)
  const day = useDay(address.day)
  const hour = useHour(address.hour, address.variable)
  return (
    <>
      <section className={classes.section} aria-label={texts.calendar.title}>
        <div className={classes.sectionHead}>
          <h2>{texts.calendar.title}</h2>
          <ColourSettings address={address} change={change} />
        </div>
        {notice && (
          <div className={classes.notice}>
            <Message kind="nfo">{notice}</Message>
          </div>
        )}
        {calendar.isPending && <p className={classes.dim}>{texts.loading}</p>}
        {calendar.isError && <Message kind="error">{serverErrorText(calendar.error)}</Message>}
        {calendar.data && (
          <DayCalendar
            days={calendar.data}
            selected={address.day}
            palette={address.palette}
            threshold={address.threshold}
            onSelect={(picked) => change({ day: picked })}
          />
        )}
        {calendar.data?.some(({ rainMaxValue }) => rainMaxValue !== undefined) && (
          <p className={classes.dim}>{texts.calendar.without}</p>
        )}
        {calendar.data && calendar.data.length > 0 && address.day === null && (
          <Message kind="hint">{texts.calendar.pick}</Message>
        )}
      </section>
      {address.day !== null && (
        <section className={classes.section}>
          {day.isPending && <p className={classes.dim}>{texts.loading}</p>}
          {day.isError && <Message kind="error">{serverErrorText(day.error)}</Message>}
          {day.data && (
            <HourSelector
              day={address.day}
              closed={isOutside(address.day, allowedDays(restriction, civilZone))}
              bins={day.data}
              hour={address.hour}
              palette={address.palette}
              threshold={address.threshold}
              onSelect={(picked) => change({ hour: picked })}
            />
          )}
        </section>
      )}
      {address.hour !== null && (
        <section className={classes.section}>
          {hour.isPending && <p className={classes.dim}>{texts.loading}</p>}
          {hour.isError && <Message kind="error">{serverErrorText(hour.error)}</Message>}
          {hour.data && (
            <HourExplorer
              key={`${address.hour} ${address.variable}`}
              records={hour.data}
              startMs={Date.parse(address.hour)}
              address={address}
              change={change}
              downloadable={address.hour}
            />
          )}
        </section>
      )}
    </>
  )
}

function Demonstration({ address, change }: Props) {
  const demo = useDemoHour(address.variable)
  const first = demo.data?.[0]
  const startMs = first ? Math.floor(Date.parse(first.datetime) / WINDOW_MS) * WINDOW_MS : 0
  return (
    <section className={classes.section} aria-label={texts.demo.title}>
      <h2>{texts.demo.title}</h2>
      <Message kind="nfo" action={<Link to="/compte">{texts.demo.signIn}</Link>}>
        {texts.demo.text}
      </Message>
      {demo.isPending && <p className={classes.dim}>{texts.loading}</p>}
      {(demo.isError || demo.data?.length === 0) && <p className={classes.dim}>{texts.demo.none}</p>}
      {first && demo.data && (
        <div className={classes.demo}>
          <HourExplorer
            key={address.variable}
            records={demo.data}
            startMs={startMs}
            address={address}
            change={change}
            downloadable={null}
            plain
          />
        </div>
      )}
    </section>
  )
}
