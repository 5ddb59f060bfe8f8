import { NativeSelect } from '@mantine/core'
import { type RunsAxis, runsBoxes, runsChart } from '@radx/charts/runs-chart'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo } from 'react'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import type { CompareAddress } from './address.ts'
import classes from './Compare.module.css'
import { fiveNumbers, QUANTITIES, type QuantityKey, quantityOf } from './quantities.ts'
import type { ComparedRun } from './useRuns.ts'

const parts = () => import('./spread-parts.ts')
/** Runs of a land use below which a box says less than its points. */
const FEWEST_IN_BOX = 3

interface Props {
  runs: readonly ComparedRun[]
  address: CompareAddress
  change(values: Partial<CompareAddress>): void
}

interface Point {
  title: string
  land: string
  x: number
  y: number
}

/** One number against another over the runs, and how it spreads by land use. */
export function Spread({ runs, address: { x, y }, change }: Props) {
  const written = JSON.stringify(pointsOf(runs, x, y))
  const points: Point[] = useMemo(() => JSON.parse(written), [written])
  const groups = useMemo(
    () =>
      [...new Set(points.map(({ land }) => land))].map((name) => ({
        name,
        points: points.filter(({ land }) => land === name),
      })),
    [points],
  )
  if (points.length < 2) return null
  return (
    <section aria-label={texts.spread}>
      <h2>{texts.spread}</h2>
      <div className={classes.axes}>
        <QuantitySelect label={texts.x} value={x} onChange={(next) => change({ x: next })} />
        <QuantitySelect label={texts.y} value={y} onChange={(next) => change({ y: next })} />
      </div>
      <Points {...{ x, y, points, groups }} />
      <p className={classes.note}>{texts.spreadNote}</p>
      {groups.some(({ points: own }) => own.length >= FEWEST_IN_BOX) && <Boxes y={y} groups={groups} />}
    </section>
  )
}

const pointsOf = (runs: readonly ComparedRun[], x: QuantityKey, y: QuantityKey): Point[] =>
  runs.flatMap(({ title, land, figures }) => {
    const [a, b] = [x, y].map((key) => figures && quantityOf(key).of(figures))
    return a === null || b === null ? [] : [{ title, land, x: a, y: b }]
  })

const axisOf = (key: QuantityKey): RunsAxis => ({
  ...texts.quantities[key],
  decimals: quantityOf(key).decimals,
})

interface SelectProps {
  label: string
  value: QuantityKey
  onChange(key: QuantityKey): void
}

const QuantitySelect = ({ label, value, onChange }: SelectProps) => (
  <NativeSelect
    label={label}
    value={value}
    data={QUANTITIES.map(({ key }) => ({ value: key, label: texts.quantities[key].name }))}
    onChange={({ currentTarget }) => onChange(currentTarget.value as QuantityKey)}
  />
)

interface Group {
  name: string
  points: readonly Point[]
}

function Points({
  x,
  y,
  points,
  groups,
}: {
  x: QuantityKey
  y: QuantityKey
  points: Point[]
  groups: Group[]
}) {
  const theme = useChartTheme()
  const build = useCallback(
    () => runsChart({ x: axisOf(x), y: axisOf(y), groups }, theme),
    [x, y, groups, theme],
  )
  const [across, up] = [axisOf(x), axisOf(y)]
  const rows = points.map((point) => [
    point.title,
    formatNumberFr(point.x, across.decimals),
    formatNumberFr(point.y, up.decimals),
  ])
  return (
    <Chart
      label={`${up.name} / ${across.name}`}
      height={360}
      build={build}
      parts={parts}
      table={<DataTable caption={texts.spread} head={[texts.about[0], across.name, up.name]} rows={rows} />}
    />
  )
}

function Boxes({ y, groups }: { y: QuantityKey; groups: readonly Group[] }) {
  const theme = useChartTheme()
  const boxes = useMemo(
    () =>
      groups.flatMap(({ name, points }) => {
        const five = fiveNumbers(points.map((point) => point.y))
        return five && points.length >= FEWEST_IN_BOX ? [{ name, five, count: points.length }] : []
      }),
    [groups],
  )
  const axis = axisOf(y)
  const build = useCallback(() => runsBoxes({ y: axisOf(y), boxes }, theme), [y, boxes, theme])
  const label = texts.boxes(axis.name)
  const rows = boxes.map(({ name, five, count }) => [
    name,
    countFr(count, 'simulation'),
    ...five.map((value) => formatNumberFr(value, axis.decimals)),
  ])
  return (
    <>
      <h3>{label}</h3>
      <Chart
        label={label}
        height={300}
        build={build}
        parts={parts}
        table={<DataTable caption={label} head={texts.boxHead} rows={rows} />}
      />
      <p className={classes.note}>{texts.boxesNote}</p>
    </>
  )
}
