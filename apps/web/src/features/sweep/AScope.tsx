import { NativeSelect } from '@mantine/core'
import type { ChartTheme } from '@radx/charts/theme'
import type { SweepRay } from '@radx/contracts/radar-volumes'
import { formatNumberFr } from '@radx/locale/format-fr'
import { type MouseEvent, useRef, useState } from 'react'
import { sweepTexts } from '../../texts/sweep.ts'
import { useChartTheme } from '../../ui/chart-theme.ts'
import {
  axisOf,
  endsOf,
  type Family,
  familiesOf,
  familyOf,
  isShownFirst,
  keyOf,
  pathOf,
  ticksWithin,
  valueAt,
} from './lines.ts'
import classes from './Panels.module.css'
import { unitText, valueText } from './scales.ts'
import { useSize } from './useSize.ts'

const texts = sweepTexts.scope

interface Props {
  ray: SweepRay
  /** Of what the sweep shows: its curves come first. */
  field: { name: string; unit: string }
  rangeM: number
  onRange: (rangeM: number) => void
}

/** Colours of curves in their order; what was measured is quiet. */
const colorsOf = ({ dim, accent, gauges, bar, text }: ChartTheme): string[] => [
  dim,
  gauges[0],
  accent,
  gauges[1],
  gauges[2],
  text,
  bar,
]

/** A ray before and after each step: curves along the distance, and what each step did at the chosen gate. */
export function AScope({ ray, field, rangeM, onRange }: Props) {
  const colors = colorsOf(useChartTheme())
  const families = familiesOf(ray.fields)
  const [picked, setPicked] = useState<{ of: Family | null; family: Family } | null>(null)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const own = familyOf(field)
  // What was picked holds until the sweep shows another quantity.
  const wanted = picked && picked.of === own ? picked.family : own
  const family = wanted && families.includes(wanted) ? wanted : families[0]
  const lines = ray.fields
    .filter((one) => familyOf(one) === family)
    .map((line, k) => ({ ...line, color: colors[k % colors.length] }))
  const isShown = (line: SweepRay['fields'][number]) => isShownFirst(line) !== turned.has(keyOf(line))
  const turn = (key: string) =>
    setTurned((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const azimuth = formatNumberFr(ray.azimuthDeg, 1)
  if (!family) return null
  return (
    <>
      <div className={classes.bar}>
        <p>{texts.at(azimuth)}</p>
        <NativeSelect
          aria-label={texts.family}
          value={family}
          onChange={({ currentTarget }) => setPicked({ of: own, family: currentTarget.value as Family })}
          data={families.map((value) => ({ value, label: texts.families[value] }))}
        />
      </div>
      <Curves
        ray={ray}
        lines={lines.filter(isShown)}
        label={texts.chart(texts.families[family], azimuth)}
        rangeM={rangeM}
        onRange={onRange}
      />
      <table
        className={classes.steps}
        aria-label={texts.chart(texts.families[family], azimuth)}
        data-testid="sweep-steps"
      >
        <thead>
          <tr>
            <th scope="col">{texts.stage}</th>
            <th scope="col" className={classes.what}>
              {texts.what}
            </th>
            <th scope="col" className={classes.number}>
              {texts.value(formatNumberFr(rangeM / 1000, 1))}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const stage = sweepTexts.stages[line.stage]
            return (
              <tr key={keyOf(line)} data-stage={line.stage}>
                <td>
                  <label className={classes.line}>
                    <input type="checkbox" checked={isShown(line)} onChange={() => turn(keyOf(line))} />
                    <span className={classes.swatch} style={{ background: line.color }} />
                    <span>
                      {stage.name}
                      <small>{sweepTexts.quantity(line.name)}</small>
                    </span>
                  </label>
                </td>
                <td className={classes.what}>{sweepTexts.what(line)}</td>
                <td className={classes.number}>{valueText(line, valueAt(ray, line.values, rangeM))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}

/** Narrower than any screen. */
const LEAST_WIDTH = 240
const HEIGHT = 220
const LEFT = 40
const RIGHT = 12
const TOP = 26
const BOTTOM = 34

interface CurvesProps {
  ray: SweepRay
  lines: (SweepRay['fields'][number] & { color: string })[]
  label: string
  rangeM: number
  onRange: (rangeM: number) => void
}

function Curves({ ray, lines, label, rangeM, onRange }: CurvesProps) {
  const svg = useRef<SVGSVGElement>(null)
  const width = Math.max(LEAST_WIDTH, useSize(svg).width)
  const { rangeStartM, rangeStepM, fields } = ray
  const endM = rangeStartM + fields[0].values.length * rangeStepM
  const axis = axisOf(...(endsOf(lines) ?? [0, 1]))
  const x = (meters: number) => LEFT + (meters / endM) * (width - LEFT - RIGHT)
  const y = (value: number) =>
    TOP + (1 - (value - axis.low) / (axis.high - axis.low)) * (HEIGHT - TOP - BOTTOM)
  const distances = ticksWithin(endM)
  const pick = (event: MouseEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const at = event.clientX - left
    const meters = ((at - LEFT) / (width - LEFT - RIGHT)) * endM
    if (meters >= 0 && meters <= endM) onRange(meters)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the sweep move the same gate
    <svg className={classes.curves} ref={svg} height={HEIGHT} role="img" aria-label={label} onClick={pick}>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className={classes.gridLine} />
          <text x={LEFT - 6} y={y(tick)} className={classes.tickY}>
            {formatNumberFr(tick, 2, true)}
          </text>
        </g>
      ))}
      {distances.map((km) => (
        <text key={km} x={x(km * 1000)} y={HEIGHT - BOTTOM + 12} className={classes.tickX}>
          {km}
        </text>
      ))}
      <text x={width - RIGHT} y={HEIGHT - 6} className={classes.axisX}>
        {texts.distance}
      </text>
      <text x={LEFT - 6} y={8} className={classes.axisY}>
        {unitText(lines[0]?.unit ?? '')}
      </text>
      {lines.map((line) => (
        <path
          key={keyOf(line)}
          d={pathOf(line.values, (bin) => x(rangeStartM + (bin + 0.5) * rangeStepM), y)}
          stroke={line.color}
          className={classes.curve}
        />
      ))}
      <line x1={x(rangeM)} x2={x(rangeM)} y1={TOP} y2={HEIGHT - BOTTOM} className={classes.mark} />
    </svg>
  )
}
