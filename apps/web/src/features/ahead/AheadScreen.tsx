import type { AheadCycle, AheadNetwork } from '@radx/contracts/ahead'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useRef, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { part } from '../../app/part.tsx'
import { aheadTitle, aheadTexts as texts } from '../../texts/ahead.ts'
import { Message } from '../../ui/Message.tsx'
import { useNow } from '../../ui/useNow.ts'
import classes from './AheadScreen.module.css'
import { type Address, useAddress } from './address.ts'
import { cycleQuery, networkQuery, overviewQuery, type Place } from './api.ts'
import { Controls } from './Controls.tsx'
import { PlaceFan, RainFan } from './Fan.tsx'
import { About, Choice, type LiveCatchment, Notices, Silence } from './Head.tsx'
import { Quality } from './Quality.tsx'
import { useRain } from './rain.ts'
import { Summary, WatchList, worstOf } from './WatchList.tsx'

const AheadMap = part(() => import('./AheadMap.tsx'))
const WhatIf = part(() => import('./WhatIf.tsx'))
/** The state of a forecast goes after 80 minutes: nobody begins with one that is about to. */
const STATE_KEPT_MS = 75 * 60_000

/** Where water may rise within two hours, and how sure that is. */
export default function AheadScreen() {
  const [address, change] = useAddress()
  const overview = useQuery(overviewQuery)
  const sinceAnswerMs = Math.max(0, useNow() - overview.dataUpdatedAt)
  const catchments = overview.data?.catchments ?? []
  const shown =
    catchments.find(({ id }) => id === address.c) ??
    catchments.find(({ enabled }) => enabled) ??
    catchments[0]
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h1>{aheadTitle}</h1>
        {shown && <Choice catchments={catchments} shown={shown} address={address} change={change} />}
      </div>
      <p className={classes.note}>{texts.intro}</p>
      {overview.isPending && <p role="status">{texts.loading}</p>}
      {overview.error && !overview.data && <Message kind="error">{serverErrorText(overview.error)}</Message>}
      {overview.data && !shown && <Message kind="nfo">{texts.none}</Message>}
      {shown && (
        <>
          <Silence answered={overview.data!.now} failed={overview.isError} />
          <Notices shown={shown} isPast={address.t !== null} />
          <Forecast
            key={shown.id}
            shown={shown}
            address={address}
            change={change}
            nowMs={Date.parse(overview.data!.now) + sinceAnswerMs}
          />
        </>
      )}
    </div>
  )
}

interface Props {
  shown: LiveCatchment
  address: Address
  change(values: Partial<Address>): void
  nowMs: number
}

/** Shows a place of the list, with its fan in sight: on a phone that stands above the list. */
function useShow(change: Props['change']) {
  const fan = useRef<HTMLDivElement>(null)
  const show = (place: Place, at: number) => {
    change({ place, at })
    fan.current?.scrollIntoView({ block: 'nearest' })
  }
  return [fan, show] as const
}

function Forecast({ shown, address, change, nowMs }: Props) {
  const issued = address.t ?? shown.newest?.issued ?? null
  const isPast = address.t !== null && address.t !== shown.newest?.issued
  const found = useQuery({
    ...cycleQuery(shown.id, issued ?? ''),
    enabled: issued !== null,
    placeholderData: (before) => before,
  })
  const cycle = found.data
  const network = useQuery({
    ...networkQuery(shown.id, cycle?.issued ?? ''),
    enabled: cycle !== undefined && cycle.times.length > 0,
  })
  const [fan, show] = useShow(change)
  if (issued === null) return null
  if (found.error) return <Message kind="error">{serverErrorText(found.error)}</Message>
  if (!cycle) return <p role="status">{texts.loading}</p>
  // A dry town has no moments.
  const isStill = cycle.times.length === 0
  const at = Math.min(address.at, Math.max(0, cycle.times.length - 1))
  const now = cycle.times[at] ?? null
  // Nobody has to ask for what is worst.
  const place = address.place ?? worstOf(cycle)
  return (
    <>
      <About cycle={cycle} nowMs={nowMs} isPast={isPast} onNewest={() => change({ t: null })} />
      <Summary cycle={cycle} />
      <div
        className={classes.columns}
        data-shape={isStill ? 'still' : cycle.watch.length === 0 ? 'calm' : 'watch'}
      >
        <Stage {...{ cycle, address, at, change, place }} network={network.data} />
        {!isStill && (
          <>
            <div ref={fan} className={classes.fan}>
              <PlaceFan cycle={cycle} place={place} now={now} />
            </div>
            <div className={classes.list}>
              <WatchList cycle={cycle} onShow={show} />
            </div>
            <div className={classes.rain}>
              <RainFan cycle={cycle} now={now} />
            </div>
            <div className={classes.whatIfPart}>
              <Suspense fallback={null}>
                <WhatIf
                  key={cycle.issued}
                  {...{ cycle, address, change }}
                  network={network.data}
                  isKept={nowMs - Date.parse(cycle.issued) < STATE_KEPT_MS}
                />
              </Suspense>
            </div>
          </>
        )}
        <div className={classes.worth}>
          <Quality id={shown.id} />
        </div>
      </div>
    </>
  )
}

interface StageProps extends Pick<Props, 'address' | 'change'> {
  cycle: AheadCycle
  network: AheadNetwork | undefined
  at: number
  place: Place | null
}

/** The map under its clock. */
function Stage({ cycle, network, address, at, place, change }: StageProps) {
  const [wantsRain, setWantsRain] = useState(true)
  const [withNetwork, setWithNetwork] = useState(true)
  const hasTimes = cycle.times.length > 0
  const { rain, state: rainState } = useRain(cycle.issued, wantsRain && hasTimes)
  const pick = useCallback((picked: Place) => change({ place: picked }), [change])
  return (
    <div className={classes.stage}>
      {hasTimes && (
        <Controls
          {...{ cycle, address, at, change, rainState }}
          rain={wantsRain}
          network={withNetwork}
          onRain={setWantsRain}
          onNetwork={setWithNetwork}
        />
      )}
      <Suspense fallback={<div className={classes.map} aria-busy="true" />}>
        <AheadMap
          {...{ cycle, network, at, rain }}
          above={address.above}
          showsNetwork={withNetwork}
          chosen={place}
          onPick={pick}
        />
      </Suspense>
    </div>
  )
}
