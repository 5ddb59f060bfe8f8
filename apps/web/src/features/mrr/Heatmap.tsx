import { paletteBytes } from '@radx/charts/palettes'
import type { MrrPalette } from '@radx/contracts/mrr'
import { formatHourMinuteFr, formatNumberFr, formatTimeFr } from '@radx/locale/format-fr'
import { memo, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import classes from './HourExplorer.module.css'
import {
  type Hour,
  heightOf,
  type Melting,
  nearestRecord,
  secondsApart,
  strongestOf,
  WINDOW_MS,
} from './records.ts'

interface Props {
  hour: Hour
  frame: number
  range: [number, number]
  palette: MrrPalette
  /** What is measured. */
  title: string
  unit: string
  melting: Melting | null
  onSeek: (frame: number) => void
}

/** Columns of ten seconds: the picture has one for each place in the hour, whether a profile came or not. */
const COLUMNS = 360

export function Heatmap({ hour, frame, range, palette, title, unit, melting, onSeek }: Props) {
  const { timeZone } = useSite()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [reading, setReading] = useState<string | null>(null)
  const top = heightOf(hour, hour.gates - 1)
  useEffect(() => {
    if (canvas.current) paint(canvas.current, hour, range, palette)
  }, [hour, range[0], range[1], palette])
  const share = (ms: number) => (ms - hour.startMs) / WINDOW_MS

  const at = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const ms = hour.startMs + ((event.clientX - box.left) / box.width) * WINDOW_MS
    const height = (1 - (event.clientY - box.top) / box.height) * top
    const record = nearestRecord(hour, ms)
    const gate = Math.min(hour.gates - 1, Math.max(0, Math.round((height - hour.firstGateM) / hour.gateM)))
    return { record, gate }
  }
  const read = (event: PointerEvent<HTMLElement>) => {
    const { record, gate } = at(event)
    const value = hour.values[record * hour.gates + gate]
    setReading(
      texts.explorer.reading(
        formatTimeFr(hour.timesMs[record], timeZone),
        formatNumberFr(heightOf(hour, gate), 0),
        Number.isNaN(value) ? '–' : `${formatNumberFr(value, 2)} ${unit}`,
      ),
    )
  }
  const kilometres = Array.from({ length: Math.floor(top / 1000) + 1 }, (_, km) => km)
  const [low, high] = range
  return (
    <figure className={classes.heatmap} aria-label={texts.explorer.heatmap}>
      <div className={classes.plot}>
        <div className={classes.heights} aria-hidden="true">
          {kilometres.map((km) => (
            <span key={km} data-height={km * 1000} style={{ bottom: `${((km * 1000) / top) * 100}%` }}>
              {formatNumberFr(km * 1000, 0)}
            </span>
          ))}
        </div>
        <div
          className={classes.picture}
          onPointerMove={read}
          onPointerLeave={() => setReading(null)}
          onPointerDown={(event) => onSeek(at(event).record)}
        >
          <canvas
            ref={canvas}
            width={COLUMNS}
            height={hour.gates}
            role="img"
            aria-label={texts.explorer.heatmap}
          />
          {melting && (
            <div
              className={classes.meltingBand}
              data-testid="mrr-melting"
              style={{
                bottom: `${(melting.bottomM / top) * 100}%`,
                height: `${((melting.topM - melting.bottomM) / top) * 100}%`,
              }}
            >
              <span>{texts.explorer.melting}</span>
            </div>
          )}
          <div className={classes.cursor} style={{ left: `${share(hour.timesMs[frame]) * 100}%` }} />
        </div>
        <div className={classes.legend} aria-hidden="true">
          <span>
            {formatNumberFr(high, 1)} {unit === 'g/m³' ? 'g.m-3' : unit}
          </span>
          <Gradient palette={palette} />
          <span>{formatNumberFr(low, 0)}</span>
        </div>
      </div>
      <div className={classes.times} aria-hidden="true">
        {Array.from({ length: 7 }, (_, k) => (
          <span key={k}>{formatHourMinuteFr(hour.startMs + k * 600_000, timeZone)}</span>
        ))}
      </div>
      <figcaption className={classes.caption}>{reading ?? texts.explorer.height}</figcaption>
      <HourTable hour={hour} title={title} unit={unit} />
    </figure>
  )
}

/** The hour in words: what each five minutes had at most, and how high that was. */
const HourTable = memo(({ hour, title, unit }: { hour: Hour; title: string; unit: string }) => {
  const { timeZone } = useSite()
  return (
    <div className="rx-visually-hidden">
      <DataTable
        caption={texts.explorer.summary}
        head={[
          texts.explorer.from,
          texts.explorer.profiles,
          `${texts.explorer.most} ${title} (${unit})`,
          texts.explorer.mostAt,
        ]}
        rows={strongestOf(hour).map(({ fromMs, profiles, most, heightM }) => [
          formatHourMinuteFr(fromMs, timeZone),
          formatNumberFr(profiles),
          formatNumberFr(most, 2),
          formatNumberFr(heightM, 0),
        ])}
      />
    </div>
  )
})

function Gradient({ palette }: { palette: MrrPalette }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const colors = paletteBytes(palette)
    const image = context.createImageData(1, 256)
    for (let i = 0; i < 256; i++) image.data.set(colors.subarray(4 * (255 - i), 4 * (255 - i) + 4), 4 * i)
    context.putImageData(image, 0, 0)
  }, [palette])
  return <canvas ref={canvas} width={1} height={256} />
}

/** A pixel a profile and gate; where nothing was seen, or no water is, it stays empty. */
function paint(
  canvas: HTMLCanvasElement,
  hour: Hour,
  [low, high]: [number, number],
  palette: MrrPalette,
): void {
  const context = canvas.getContext('2d')
  if (!context || hour.gates === 0) return
  const colors = paletteBytes(palette)
  const image = context.createImageData(COLUMNS, hour.gates)
  // A profile fills the columns up to the next one, so that slower averaging leaves no stripes.
  const width = Math.max(1, Math.round(secondsApart(hour.timesMs.length || 1) / 10))
  const filled = Math.min(width, 6)
  hour.timesMs.forEach((ms, i) => {
    // Multiplied first: a share of an hour is no exact number, and columns would be skipped.
    const column = Math.floor(((ms - hour.startMs) * COLUMNS) / WINDOW_MS)
    const step = i + 1 < hour.timesMs.length ? Math.round((hour.timesMs[i + 1] - ms) / 10_000) : 1
    for (let gate = 0; gate < hour.gates; gate++) {
      const value = hour.values[i * hour.gates + gate]
      if (Number.isNaN(value) || (low === 0 && value <= 0)) continue
      const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
      const color = colors.subarray(4 * Math.round(share * 255), 4 * Math.round(share * 255) + 4)
      for (let c = column; c < Math.min(COLUMNS, column + Math.max(1, Math.min(step, filled))); c++)
        if (c >= 0) image.data.set(color, 4 * ((hour.gates - 1 - gate) * COLUMNS + c))
    }
  })
  context.putImageData(image, 0, 0)
}
