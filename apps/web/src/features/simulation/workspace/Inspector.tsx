import type { CellSeries } from '@radx/contracts/figures'
import { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { formatDuration } from '@radx/locale/duration'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { IconPin, IconPinFilled, IconX } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useClock } from '../../../player/run/clock.ts'
import { Curves } from '../../../sewer/Curves.tsx'
import { depthTexts } from '../../../texts/flood.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import type { SimulationJob } from '../api.ts'
import { seriesQuery } from '../result/sewer/api.ts'
import { momentAt } from '../result/timeline/moments.ts'
import { type GridLine, type Kept, MOST_PICKS, pickKey } from './address.ts'
import { cellQuery, runMapQuery, sectionQuery } from './api.ts'
import { endsOf } from './ends.ts'
import type { Sewer } from './SewerOverlay.tsx'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

interface Props {
  job: SimulationJob
  town: TownGrid | undefined
  sewer: Sewer
}

/** What was clicked: facts of each, and what happened there over time, side by side. */
export function Inspector({ job, town, sewer }: Props) {
  const { picks, profile, keep, drop, change } = useWorkspace()
  if (picks.length === 0)
    return (
      <aside className={classes.inspector} aria-label={texts.inspector} data-empty>
        <p>{texts.inspectorHelp}</p>
      </aside>
    )
  return (
    <aside className={classes.inspector} aria-label={texts.inspector}>
      <header>
        <h2>{texts.inspector}</h2>
        <button type="button" onClick={() => change({ picks: [] })}>
          {texts.clear}
        </button>
      </header>
      <ol className={classes.cards}>
        {picks.map((pick) => (
          <li key={pickKey(pick)}>
            <header>
              <h3>{nameOf(pick)}</h3>
              <IconButton
                label={pick.kept ? texts.letGo : texts.keep}
                aria-pressed={pick.kept}
                size={32}
                tip="left"
                onClick={() => keep(pick, !pick.kept)}
              >
                {pick.kept ? <IconPinFilled size={16} /> : <IconPin size={16} stroke={1.75} />}
              </IconButton>
              <IconButton label={texts.remove} size={32} tip="left" onClick={() => drop(pick)}>
                <IconX size={16} stroke={1.75} />
              </IconButton>
            </header>
            {pick.kind === 'cell' ? (
              <CellFacts job={job} town={town} row={pick.row} col={pick.col} />
            ) : pick.kind === 'section' ? (
              <SectionFacts job={job} line={pick} />
            ) : (
              <SewerFacts sewer={sewer} kind={pick.kind} name={pick.name} />
            )}
            <AlertLink job={job} town={town} pick={pick} />
          </li>
        ))}
      </ol>
      {endsOf(picks) && !profile && (
        <button type="button" className={classes.action} onClick={() => change({ profile: true })}>
          {texts.openProfile}
        </button>
      )}
      <CellCurves job={job} picks={picks} of="depth" />
      <CellCurves job={job} picks={picks} of="level" />
      <CellCurves job={job} picks={picks} of="speed" />
      <SectionCurves job={job} picks={picks} />
      <SewerCurves job={job} names={namesOf(picks, 'node')} kind="node" />
      <SewerCurves job={job} names={flowsOf(picks, sewer)} kind="link" />
    </aside>
  )
}

const nameOf = (pick: Kept): string => {
  if (pick.kind === 'cell') return texts.cell(pick.row + 1, pick.col + 1)
  if (pick.kind !== 'section') return texts[pick.kind](pick.name)
  return texts.section(
    `${Math.floor(pick.y1) + 1}, ${Math.floor(pick.x1) + 1}`,
    `${Math.floor(pick.y2) + 1}, ${Math.floor(pick.x2) + 1}`,
  )
}

type Row = [string, string]

function Facts({ rows }: { rows: readonly (Row | null)[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const cm = (depthM: number): string => formatQuantityFr(100 * depthM, 'cm', 1)

function CellFacts({
  job,
  town,
  row,
  col,
}: {
  job: SimulationJob
  town?: TownGrid
  row: number
  col: number
}) {
  const series = useQuery(cellQuery(job.id, row, col))
  const [depth, speed, arrival] = useQueries({
    queries: [runMapQuery(job.id, 'hauteur'), runMapQuery(job.id, 'vitesse'), runMapQuery(job.id, 'arrivee')],
  })
  const timeS = useClock((clock) => clock.timeS)
  if (series.error) return <p role="alert">{genericErrorText(series.error)}</p>
  if (!series.data || !town) return <p role="status">{depthTexts.loading}</p>
  const { timesS, depthsM, groundM, speedsMS } = series.data
  const cell = row * town.place.ncols + col
  const { before, after, share } = momentAt(timesS, timeS)
  const now = depthsM[before] + share * (depthsM[after] - depthsM[before])
  const land = town.classes[town.land[cell]]
  const most = depth.data?.[cell]
  const fastest = speed.data?.[cell]
  const arrived = arrival.data?.[cell]
  return (
    <Facts
      rows={[
        land ? [texts.landUse, land.title] : null,
        [texts.ground, formatQuantityFr(groundM, 'm', 2)],
        [texts.depthNow, cm(now)],
        [texts.levelNow, formatQuantityFr(groundM + now, 'm', 2)],
        speedsMS
          ? [
              texts.speedNow,
              formatQuantityFr(speedsMS[before] + share * (speedsMS[after] - speedsMS[before]), 'm/s', 2),
            ]
          : null,
        most === undefined ? null : [texts.depthMost, cm(most)],
        fastest === undefined ? null : [texts.speedMost, formatQuantityFr(fastest, 'm/s', 2)],
        arrived === undefined || Number.isNaN(arrived)
          ? null
          : [texts.arrival, formatDuration(1000 * arrived)],
      ]}
    />
  )
}

/** Flow through a drawn line: the largest, and what went through in all. */
function SectionFacts({ job, line }: { job: SimulationJob; line: GridLine }) {
  const { data, error } = useQuery(sectionQuery(job.id, line))
  if (error) return <p role="alert">{genericErrorText(error)}</p>
  if (!data) return <p role="status">{depthTexts.loading}</p>
  const { flowM3S, timesS, lengthM } = data
  if (flowM3S === null) return <p>{texts.noSpeeds}</p>
  const peak = flowM3S.reduce((best, flow, k) => (Math.abs(flow) > Math.abs(flowM3S[best]) ? k : best), 0)
  const volumeM3 = flowM3S.reduce(
    (sum, flow, k) => sum + (k === 0 ? 0 : ((flow + flowM3S[k - 1]) / 2) * (timesS[k] - timesS[k - 1])),
    0,
  )
  return (
    <>
      <Facts
        rows={[
          [texts.lineLength, formatQuantityFr(lengthM, 'm', 0)],
          [texts.lineFlow, formatQuantityFr(flowM3S[peak], 'm³/s', 3)],
          [texts.linkTime, formatDuration(1000 * timesS[peak])],
          [texts.lineVolume, formatQuantityFr(volumeM3, 'm³', 0)],
        ]}
      />
      <p>{texts.lineSign}</p>
    </>
  )
}

function SewerFacts({ sewer, kind, name }: { sewer: Sewer; kind: 'node' | 'link'; name: string }) {
  const { network, peaks, diameters, error } = sewer
  if (error) return <p role="alert">{genericErrorText(error)}</p>
  if (!network || !peaks) return <p role="status">{depthTexts.loading}</p>
  if (kind === 'node') {
    const k = peaks.nodes.name.indexOf(name)
    if (k < 0) return <p>{texts.unknown}</p>
    const { depthM, headM, timeS, inflowM3S, floodedM3, outfallM3 } = peaks.nodes
    const outfall = network.node.get(name)?.kind === 'outfall'
    return (
      <Facts
        rows={[
          [texts.nodeDepth, formatQuantityFr(depthM[k], 'm', 2)],
          [texts.nodeHead, formatQuantityFr(headM[k], 'm', 2)],
          [texts.nodeTime, formatDuration(1000 * timeS[k])],
          [texts.nodeInflow, formatQuantityFr(inflowM3S[k], 'm³/s', 3)],
          outfall
            ? [texts.outfallVolume, formatQuantityFr(outfallM3[k], 'm³', 1)]
            : [texts.overflowVolume, formatQuantityFr(floodedM3[k], 'm³', 1)],
        ]}
      />
    )
  }
  const k = peaks.links.name.indexOf(name)
  if (k < 0) return <p>{texts.unknown}</p>
  const { flowM3S, timeS, speedMS, filling, volumeM3, surchargedS } = peaks.links
  const link = network.link.get(name)
  const diameterM = diameters.get(name)
  return (
    <Facts
      rows={[
        link ? [texts.ends, `${link.from} – ${link.to}`] : null,
        diameterM ? [texts.diameter, formatQuantityFr(1000 * diameterM, 'mm', 0)] : null,
        [texts.linkFlow, formatQuantityFr(flowM3S[k], 'm³/s', 3)],
        [texts.linkTime, formatDuration(1000 * timeS[k])],
        [texts.linkSpeed, formatQuantityFr(speedMS[k], 'm/s', 2)],
        [texts.filling, formatQuantityFr(100 * filling[k], '%', 0)],
        [texts.surchargedFor, formatDuration(1000 * surchargedS[k])],
        [texts.linkVolume, formatQuantityFr(volumeM3[k], 'm³', 0)],
      ]}
    />
  )
}

interface CurvesProps {
  job: SimulationJob
  picks: readonly Kept[]
}

/** Depths, levels or speeds of the chosen cells at the moments of the frames. */
function CellCurves({ job, picks, of }: CurvesProps & { of: CellQuantity }) {
  const cells = picks.flatMap((pick) => (pick.kind === 'cell' ? [pick] : []))
  const found = useQueries({ queries: cells.map(({ row, col }) => cellQuery(job.id, row, col)) })
  const key = cells.map(pickKey).join(' ')
  const ready = found.every(({ data }) => data)
  const { title, filename, unit, decimals, values: read } = CELL_CURVES[of]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells are those of the key
  const data = useMemo(
    () => ({
      timesS: found[0]?.data?.timesS ?? [],
      curves: cells.flatMap(({ row, col }, color) => {
        const series = found[color].data
        const values = series && read(series)
        return values ? [{ name: texts.cell(row + 1, col + 1), values, color }] : []
      }),
      unit,
      decimals,
      instants: true,
    }),
    [key, ready, read, unit, decimals],
  )
  if (data.curves.length === 0) return null
  return <Curves title={title} data={data} filename={filename} height={220} pending={!ready} />
}

type CellQuantity = 'depth' | 'level' | 'speed'
const CELL_CURVES: Record<
  CellQuantity,
  {
    title: string
    filename: string
    unit: string
    decimals: number
    values: (series: CellSeries) => number[] | null
  }
> = {
  depth: {
    title: texts.cellCurves,
    filename: 'hauteurs_cellules.csv',
    unit: 'cm',
    decimals: 1,
    values: ({ depthsM }) => depthsM.map((m) => 100 * m),
  },
  level: {
    title: texts.levelCurves,
    filename: 'niveaux_cellules.csv',
    unit: 'm',
    decimals: 2,
    values: ({ groundM, depthsM }) => depthsM.map((m) => groundM + m),
  },
  speed: {
    title: texts.speedCurves,
    filename: 'vitesses_cellules.csv',
    unit: 'm/s',
    decimals: 2,
    values: ({ speedsMS }) => speedsMS,
  },
}

/** Flow through the drawn lines. */
function SectionCurves({ job, picks }: CurvesProps) {
  const lines = picks.flatMap((pick) => (pick.kind === 'section' ? [pick] : []))
  const found = useQueries({ queries: lines.map((line) => sectionQuery(job.id, line)) })
  const key = lines.map(pickKey).join(' ')
  const ready = found.every(({ data }) => data)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines are those of the key
  const data = useMemo(
    () => ({
      timesS: found[0]?.data?.timesS ?? [],
      curves: lines.flatMap((line, color) => {
        const values = found[color].data?.flowM3S
        return values ? [{ name: nameOf(line), values, color }] : []
      }),
      unit: 'm³/s',
      decimals: 3,
      instants: true,
    }),
    [key, ready],
  )
  if (data.curves.length === 0) return null
  return (
    <Curves
      title={texts.sectionCurves}
      data={data}
      filename="debits_lignes.csv"
      height={220}
      pending={!ready}
    />
  )
}

const namesOf = (picks: readonly Kept[], kind: 'node' | 'link'): string[] =>
  picks.flatMap((pick) => (pick.kind === kind ? [pick.name] : []))

/** Links whose flow is told: the chosen ones, and those that lead to a chosen outfall. */
function flowsOf(picks: readonly Kept[], { network }: Sewer): string[] {
  const outfalls = new Set(
    namesOf(picks, 'node').filter((name) => network?.node.get(name)?.kind === 'outfall'),
  )
  const into = outfalls.size === 0 ? [] : (network?.links ?? []).filter(({ to }) => outfalls.has(to))
  return [...new Set([...namesOf(picks, 'link'), ...into.map(({ name }) => name)])].slice(0, MOST_PICKS)
}

interface SewerCurvesProps {
  job: SimulationJob
  names: readonly string[]
  kind: 'node' | 'link'
}

/** Mean depths of the chosen nodes, or mean flows of the chosen links, interval by interval. */
function SewerCurves({ job, names, kind }: SewerCurvesProps) {
  const nodes = useQuery({
    ...seriesQuery(job.id, OUTPUT_HEIGHT, names),
    enabled: kind === 'node' && names.length > 0,
  })
  const links = useQuery({
    ...seriesQuery(job.id, OUTPUT_FLOW, names),
    enabled: kind === 'link' && names.length > 0,
  })
  const key = names.join('\n')
  const query = kind === 'node' ? nodes : links
  const answer = query.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are those of the key
  const data = useMemo(() => {
    const rows = answer ? ('junctions' in answer ? answer.junctions : answer.links) : []
    const found = new Map(rows.map(({ Name, data: values }) => [Name, values]))
    const { unit } = kind === 'node' ? sewerTexts.depths : sewerTexts.flows
    return {
      timesS: answer?.timesS ?? [],
      curves: names.flatMap((name, color) => {
        const values = found.get(name) ?? []
        return values.length === 0 ? [] : [{ name, values, color }]
      }),
      unit,
      decimals: 3,
    }
  }, [answer, key, kind])
  if (names.length === 0) return null
  if (data.curves.length === 0) return <QueryState query={query} there={answer !== undefined} />
  const { title } = kind === 'node' ? sewerTexts.depths : sewerTexts.flows
  const filename = kind === 'node' ? 'hauteurs_junctions.csv' : 'debits_conduites.csv'
  return <Curves title={title} data={data} filename={filename} height={220} />
}

/** To a rule on what the live forecast says of the same place. */
function AlertLink({ job, town, pick }: { job: SimulationJob; town: TownGrid | undefined; pick: Kept }) {
  const name =
    pick.kind === 'cell'
      ? town && String(pick.row * town.place.ncols + pick.col)
      : pick.kind === 'node' || pick.kind === 'link'
        ? pick.name
        : undefined
  if (name === undefined) return null
  const asked = { r: `flood-${pick.kind}`, c: job.input.catchmentId, n: name, t: nameOf(pick) }
  return (
    <Link to={`/alertes?${new URLSearchParams(asked)}`} className={classes.action}>
      {texts.alert}
    </Link>
  )
}
