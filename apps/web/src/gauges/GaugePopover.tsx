import { formatDateTimeFr, formatHourMinuteFr, formatNumberFr } from '@radx/locale/format-fr'
import { IconTrash, IconX } from '@tabler/icons-react'
import { type CSSProperties, useMemo } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { useSite } from '../app/site.ts'
import { MapPopover } from '../map/MapPopover.tsx'
import { shownTotals, useRainMethod } from '../player/rain-method.ts'
import { gaugeTexts as texts } from '../texts/gauges.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Message } from '../ui/Message.tsx'
import { Quantity } from '../ui/Quantity.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import classes from './GaugePopover.module.css'
import { largestOf, smallBars } from './mini-bars.ts'
import type { Gauge, Gauges, GaugeTotals } from './useGauges.ts'

const BARS = 120
const HEIGHT = 40

interface Props {
  gauges: Gauges
  /** Instant on the map. */
  current: string | null
  /** Colour of a gauge on the map. */
  colorOf: (gauge: Gauge) => string
}

/** What the last click on the map came to, where it was: the gauge with its rain, or why there is none. */
export function GaugePopover({ gauges, current, colorOf }: Props) {
  const { opened } = gauges
  if (opened === null) return null
  const index = gauges.list.findIndex(({ point }) => gauges.isAt(point, opened.pos))
  const gauge = gauges.list[index]
  const number = gauges.list.length - index
  const label = gauge ? texts.name(number) : texts.clicked
  return (
    <MapPopover
      key={`${opened.pos.lat} ${opened.pos.lng}`}
      position={gauge?.point.posCenter ?? opened.pos}
      label={label}
      focused={opened.focused}
      onClose={gauges.close}
    >
      <div className={classes.top}>
        <strong>{label}</strong>
        <span>
          {gauge && (
            <IconButton
              label={texts.remove(number)}
              tip="bottom"
              size={28}
              onClick={() => {
                gauges.close()
                gauges.remove(gauge.point)
              }}
            >
              <IconTrash size={16} stroke={1.75} />
            </IconButton>
          )}
          <IconButton label={texts.dismiss} tip="bottom" size={28} onClick={gauges.close}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        </span>
      </div>
      <div
        role="status"
        data-testid="gauge-popover"
        data-kind={opened.refusal === null ? undefined : 'marker'}
      >
        {opened.refusal ? (
          <p className={classes.refusal}>{opened.refusal}</p>
        ) : gauge ? (
          <GaugeSummary gauge={gauge} current={current} color={colorOf(gauge)} />
        ) : (
          <p className={classes.loading}>{texts.loading}</p>
        )}
      </div>
    </MapPopover>
  )
}

function GaugeSummary({ gauge, current, color }: { gauge: Gauge; current: string | null; color: string }) {
  const { timeZone } = useSite()
  const wanted = useRainMethod((state) => state.method)
  const { data, error } = gauge
  if (error !== null)
    return (
      <Message kind="error" action={<TextButton onClick={gauge.retry}>{texts.retry}</TextButton>}>
        {genericErrorText(error)}
      </Message>
    )
  if (data === null) return <p className={classes.loading}>{texts.loading}</p>
  if (data.radarPixel === null) return <p>{texts.outsideProduct}</p>
  const { totals } = shownTotals<GaugeTotals>(data, wanted)
  const now = current === null ? undefined : data.radarData.find(({ datetime }) => datetime === current)
  const most = largestOf(data.radarData)
  const { lat, lng } = gauge.point.posCenter
  return (
    <div style={{ '--gauge': color } as CSSProperties}>
      <p className={classes.value}>
        <span>
          {now && now.value === null ? (
            texts.noData
          ) : (
            <Quantity value={now?.value ?? undefined} unit="mm/h" decimals={1} />
          )}{' '}
          {current !== null && <small>{texts.at(formatHourMinuteFr(current, timeZone))}</small>}
        </span>
        <span>
          <small>{texts.cumul}</small> <Quantity value={totals.cumulMm.at(-1)} unit="mm" decimals={2} />
        </span>
      </p>
      <MiniHyetogram data={data} current={current} />
      <p className={classes.note}>
        {most === null
          ? texts.noData
          : most.value > 0
            ? texts.most(
                formatNumberFr(most.value, 1),
                formatDateTimeFr(most.datetime, timeZone).replace(' - ', ', '),
              )
            : texts.dry}
      </p>
      <p className={classes.note}>
        {formatNumberFr(lat, 4)} N, {formatNumberFr(lng, 4)} E
      </p>
    </div>
  )
}

/** Rain of the period as bars, missing images as a grey floor, and the map's moment as a line. */
function MiniHyetogram({ data, current }: { data: NonNullable<Gauge['data']>; current: string | null }) {
  const { timeZone } = useSite()
  const points = data.radarData
  const bars = useMemo(() => smallBars(points, BARS), [points])
  if (points.length === 0) return null
  const top = Math.max(1, ...bars.map(({ value }) => value ?? 0))
  const index = points.findIndex(({ datetime }) => datetime === current)
  const first = Date.parse(points[0].datetime)
  const last = points[points.length - 1].datetime
  const cursor =
    index < 0 ? null : (Date.parse(points[index].datetime) - first) / (Date.parse(last) - first || 1)
  return (
    <figure className={classes.mini}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {bars.map(({ x, width, value }) =>
          value === null ? (
            <rect
              key={x}
              className={classes.missing}
              x={x * 100}
              width={width * 100}
              y={HEIGHT - 4}
              height={4}
            />
          ) : (
            <rect
              key={x}
              x={x * 100}
              width={width * 88}
              y={HEIGHT - (value / top) * HEIGHT}
              height={(value / top) * HEIGHT}
            />
          ),
        )}
        {cursor !== null && <line x1={cursor * 100} x2={cursor * 100} y1={0} y2={HEIGHT} />}
      </svg>
      <figcaption>
        <span>{formatHourMinuteFr(points[0].datetime, timeZone)}</span>
        <span>{formatHourMinuteFr(last, timeZone)}</span>
      </figcaption>
    </figure>
  )
}
