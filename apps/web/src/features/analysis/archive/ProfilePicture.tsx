import { paletteBytes } from '@radx/charts/palettes'
import type { MrrPeriod } from '@radx/contracts/mrr'
import { MRR_SCALE } from '@radx/contracts/mrr-constants'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { analysisTexts } from '../../../texts/analysis.ts'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../ui/SeriesTable.tsx'
import classes from './MicroRainRadar.module.css'

const texts = analysisTexts.mrr
const PALETTE = 'turbo'
const UNIT = 'g/m³'

interface Props {
  period: MrrPeriod
  range: { start: string; end: string }
  margins: { left: number; right: number }
  current: string | null
  onPick: (instantMs: number) => void
}

/** Liquid water over time and height, on the time axis of the graphs around it. */
export function ProfilePicture({ period, range, margins, current, onPick }: Props) {
  const { timeZone } = useSite()
  const { missing } = useChartTheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [reading, setReading] = useState<string | null>(null)
  const startMs = Date.parse(range.start)
  const lengthMs = Date.parse(range.end) - startMs
  const field = useMemo(() => fieldOf(period, startMs, lengthMs), [period, startMs, lengthMs])
  useEffect(() => {
    if (canvas.current) paint(canvas.current, field, missing)
  }, [field, missing])

  const { columns, gates, topM, high } = field
  const at = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return {
      ms: startMs + ((event.clientX - box.left) / box.width) * lengthMs,
      heightM: (1 - (event.clientY - box.top) / box.height) * topM,
    }
  }
  const read = (event: PointerEvent<HTMLElement>) => {
    const { ms, heightM } = at(event)
    const gate = Math.round((heightM - period.meters_to_first_gate) / period.meters_between_gates)
    const column = Math.min(columns - 1, Math.floor(((ms - startMs) / lengthMs) * columns))
    const value = gate < 0 || gate >= gates ? Number.NaN : field.values[column * gates + gate]
    setReading(
      texts.reading(
        formatDateTimeFr(ms, timeZone),
        formatQuantityFr(heightM, 'm', 0),
        formatQuantityFr(Number.isNaN(value) ? null : value, UNIT, 2),
      ),
    )
  }
  const kilometres = Array.from({ length: Math.floor(topM / 1000) + 1 }, (_, km) => km)
  const shown = current === null ? null : (Date.parse(current) - startMs) / lengthMs
  return (
    <figure className={classes.picture}>
      <div className={classes.plot}>
        <div className={classes.heights} style={{ width: margins.left }} aria-hidden>
          {kilometres.map((km) => (
            <span key={km} style={{ bottom: `${((km * 1000) / topM) * 100}%` }}>
              {km}
            </span>
          ))}
        </div>
        <div
          className={classes.field}
          style={margins}
          onPointerMove={read}
          onPointerLeave={() => setReading(null)}
          onPointerDown={(event) => onPick(at(event).ms)}
          data-testid="mrr-field"
        >
          <canvas ref={canvas} width={columns} height={gates} role="img" aria-label={texts.picture} />
          {shown !== null && <div className={classes.cursor} style={{ left: `${shown * 100}%` }} />}
        </div>
        <div className={classes.legend} style={{ width: margins.right }} aria-hidden>
          <span>{formatNumberFr(high, 1)}</span>
          <Scale />
          <span>{UNIT}</span>
        </div>
      </div>
      <figcaption className={classes.caption}>{reading ?? texts.hint}</figcaption>
      <Columns period={period} />
    </figure>
  )
}

const COLUMN_HEAD = [texts.time, texts.mostLwc, texts.mostAt, texts.nearGround] as const

/** The columns in words, not each of their gates. */
const Columns = memo(({ period }: { period: MrrPeriod }) => {
  const { timeZone } = useSite()
  const most = useMemo(
    () => period.columns.map(({ lwc }) => lwc.reduce<number>((top, value) => Math.max(top, value ?? 0), 0)),
    [period],
  )
  return (
    <div className="rx-visually-hidden">
      <SeriesTable
        caption={texts.picture}
        head={COLUMN_HEAD}
        count={period.columns.length}
        row={(k) => {
          const { datetime, lwc, rateMmH } = period.columns[k]
          const gate = most[k] > 0 ? lwc.indexOf(most[k]) : null
          return [
            formatDateTimeFr(datetime, timeZone),
            formatNumberFr(most[k], 2),
            formatNumberFr(
              gate === null ? null : period.meters_to_first_gate + gate * period.meters_between_gates,
              0,
            ),
            formatNumberFr(rateMmH, 2),
          ]
        }}
        values={most}
      />
    </div>
  )
})

interface Field {
  columns: number
  gates: number
  /** `[column * gates + gate]`, gate 0 lowest, g/m3; NaN = nothing measured then. */
  values: Float32Array
  topM: number
  /** Upper end of the colours, g/m3. */
  high: number
}

/** Columns of the whole range, whether something was measured or not. */
function fieldOf(period: MrrPeriod, startMs: number, lengthMs: number): Field {
  const stepMs = period.columnSeconds * 1000
  const columns = Math.max(1, Math.ceil(lengthMs / stepMs))
  const gates = period.columns.reduce((most, { lwc }) => Math.max(most, lwc.length), 1)
  const values = new Float32Array(columns * gates).fill(Number.NaN)
  let most = 0
  for (const { datetime, lwc } of period.columns) {
    const column = Math.round((Date.parse(datetime) - startMs) / stepMs)
    // A single element stands for a column without liquid water.
    for (let gate = 0; gate < gates; gate++) {
      const value = lwc.length === 1 ? 0 : (lwc[gate] ?? 0)
      values[column * gates + gate] = value
      if (value > most) most = value
    }
  }
  return {
    columns,
    gates,
    values,
    topM: period.meters_to_first_gate + (gates - 1) * period.meters_between_gates || 1000,
    high: Math.min(MRR_SCALE.max, Math.max(0.5, Math.ceil(most * 10) / 10)),
  }
}

/** A pixel a column and gate: nothing without water, grey where nothing was measured. */
function paint(canvas: HTMLCanvasElement, { columns, gates, values, high }: Field, missing: string): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const colors = paletteBytes(PALETTE)
  const image = context.createImageData(columns, gates)
  for (let column = 0; column < columns; column++)
    for (let gate = 0; gate < gates; gate++) {
      const value = values[column * gates + gate]
      if (!(value > 0)) continue
      const color = 4 * Math.round(255 * Math.min(1, value / high))
      image.data.set(colors.subarray(color, color + 4), 4 * ((gates - 1 - gate) * columns + column))
    }
  context.putImageData(image, 0, 0)
  context.fillStyle = missing
  for (let column = 0; column < columns; column++)
    if (Number.isNaN(values[column * gates])) context.fillRect(column, 0, 1, gates)
}

function Scale() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const colors = paletteBytes(PALETTE)
    const image = context.createImageData(1, 256)
    for (let i = 0; i < 256; i++) image.data.set(colors.subarray(4 * (255 - i), 4 * (255 - i) + 4), 4 * i)
    context.putImageData(image, 0, 0)
  }, [])
  return <canvas ref={canvas} width={1} height={256} />
}
