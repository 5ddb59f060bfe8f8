import { NativeSelect } from '@mantine/core'
import { runsChart } from '@radx/charts/runs-chart'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo } from 'react'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import type { CompareAddress } from './address.ts'
import { Boxes } from './Boxes.tsx'
import classes from './Compare.module.css'
import { axisOf, QUANTITIES, type QuantityKey, quantityOf } from './quantities.ts'
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
  const boxes = useMemo(
    () => groups.map(({ name, points: own }) => ({ name, values: own.map((point) => point.y) })),
    [groups],
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
      <Boxes
        y={y}
        label={texts.boxes(texts.quantities[y].name)}
        groupName={texts.boxGroup}
        groups={boxes}
        fewest={FEWEST_IN_BOX}
      />
      {boxes.some(({ values }) => values.length >= FEWEST_IN_BOX) && (
        <p className={classes.note}>{texts.boxesNote}</p>
      )}
    </section>
  )
}

const pointsOf = (runs: readonly ComparedRun[], x: QuantityKey, y: QuantityKey): Point[] =>
  runs.flatMap(({ title, land, figures }) => {
    const [a, b] = [x, y].map((key) => figures && quantityOf(key).of(figures))
    return a === null || b === null ? [] : [{ title, land, x: a, y: b }]
  })

interface SelectProps {
  label: string
  value: QuantityKey
  onChange(key: QuantityKey): void
}

export const QuantitySelect = ({ label, value, onChange }: SelectProps) => (
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
