import { Button } from '@mantine/core'
import { CLASS_NO_DATA, INTENSITY_CLASSES } from '@radx/contracts/constants'
import { formatDateTimeFr, formatHourMinuteFr } from '@radx/locale/format-fr'
import { unpackClassBlock } from '@radx/rainfall/class-bundle'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { genericErrorText } from '../../app/api/errors.ts'
import { part } from '../../app/part.tsx'
import { useSite } from '../../app/site.ts'
import { useOrder } from '../../jobs/useOrder.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { nowcastTexts } from '../../texts/nowcast.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Message } from '../../ui/Message.tsx'
import { instantOf, localText } from '../../ui/moments.ts'
import { Section } from '../../ui/Section.tsx'
import { nearestPicture, type Picture, type Replay as ReplayAnswer, replayQuery } from './api.ts'
import { OrderState } from './Order.tsx'
import classes from './QualityScreen.module.css'

const SHOWN_MIN = [15, 30, 60] as const
const HOURS_BACK = 3

const ReplayMap = part(() => import('./ReplayMap.tsx'))

interface Props {
  /** ISO instant that is forecast again; null asks for nothing yet. */
  issued: string | null
  onIssued: (issued: string) => void
}

/** A past moment forecast again, on the map and beside what came. */
export function Replay({ issued, onIssued }: Props) {
  const { timeZone } = useSite()
  const [moment, setMoment] = useState<string | null>(() =>
    localText(Date.now() - HOURS_BACK * 3_600_000, timeZone),
  )
  const replay = useQuery(replayQuery(issued))
  const ms = instantOf(moment, timeZone)
  const order = useOrder('/api/job/nowcast/moment')
  return (
    <Section title={texts.replay}>
      <p className={classes.note}>{texts.replayHelp}</p>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault()
          if (ms !== null) onIssued(new Date(ms).toISOString())
        }}
      >
        <DateField withTime label={texts.moment} value={moment} onChange={setMoment} />
        <Button type="submit" disabled={ms === null} loading={issued !== null && replay.isPending}>
          {texts.replayButton}
        </Button>
        <Button
          variant="default"
          disabled={ms === null || order.running}
          loading={order.order.isPending}
          onClick={() => ms !== null && order.place({ issued: new Date(ms).toISOString(), members: true })}
        >
          {texts.orderButton}
        </Button>
      </form>
      <OrderState order={order} onShow={onIssued} />
      {issued !== null && replay.isPending && <p role="status">{texts.replaying}</p>}
      {replay.error && <Message kind="error">{genericErrorText(replay.error)}</Message>}
      {issued !== null && replay.data && <Pictures replay={replay.data} timeZone={timeZone} />}
    </Section>
  )
}

function Pictures({ replay, timeZone }: { replay: ReplayAnswer; timeZone: string }) {
  const { about, steps, forecast, seen } = replay
  if (about.issued === null || about.reason !== null)
    return <Message kind="nfo">{nowcastTexts.reasons[about.reason ?? 'few-frames']}</Message>
  const issuedMs = Date.parse(about.issued)
  return (
    <>
      <p>{texts.replayOf(formatDateTimeFr(issuedMs, timeZone), about.product.toUpperCase())}</p>
      <Suspense fallback={<p role="status">{texts.replaying}</p>}>
        <ReplayMap key={about.issued} replay={replay} />
      </Suspense>
      <ol className={classes.pairs}>
        {SHOWN_MIN.map((minutes) => {
          const at = issuedMs + minutes * 60_000
          return (
            <li key={minutes} className={classes.pair}>
              <h3>{texts.after(minutes)}</h3>
              <Shown
                label={`${texts.forecastOf}, ${formatHourMinuteFr(at, timeZone)}`}
                picture={nearestPicture(forecast.slice(1), at)}
                steps={steps}
                missing={texts.notForecast}
              />
              <Shown
                label={`${texts.seenOf}, ${formatHourMinuteFr(at, timeZone)}`}
                picture={nearestPicture(seen, at)}
                steps={steps}
                missing={texts.notSeen}
              />
            </li>
          )
        })}
      </ol>
    </>
  )
}

interface ShownProps {
  label: string
  picture: Picture | null
  steps: number
  missing: string
}

function Shown({ label, picture, steps, missing }: ShownProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !picture) return
    context.putImageData(new ImageData(colorsOf(picture.block, steps), steps, steps), 0, 0)
  }, [picture, steps])
  return (
    <figure className={classes.picture}>
      {picture ? (
        <canvas ref={canvas} width={steps} height={steps} role="img" aria-label={label} />
      ) : (
        <p className={classes.note}>{missing}</p>
      )}
      <figcaption>{label}</figcaption>
    </figure>
  )
}

const NO_DATA = [128, 128, 128, 70] as const
const PALETTE = INTENSITY_CLASSES.map(({ color }) => {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return [r, g, b, 255] as const
})

function colorsOf(block: Uint8Array, steps: number): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(4 * steps * steps)
  unpackClassBlock(block, steps).forEach((code, i) => {
    if (code === 0) return
    out.set(code === CLASS_NO_DATA ? NO_DATA : PALETTE[code - 1], 4 * i)
  })
  return out
}
