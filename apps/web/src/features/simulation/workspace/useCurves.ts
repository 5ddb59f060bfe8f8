import type { SewerChartData, SewerCurve } from '@radx/charts/sewer-chart'
import type { CellSeries } from '@radx/contracts/figures'
import { OUTPUT_FLOW, OUTPUT_HEIGHT, SEWER_DRY } from '@radx/contracts/simulation-constants'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sewerTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { SimulationJob } from '../api.ts'
import { seriesQuery } from '../result/sewer/api.ts'
import { type Kept, MOST_PICKS, pickKey } from './address.ts'
import { cellQuery, sectionQuery, sewerMomentsQuery } from './api.ts'
import { nameOf } from './Facts.tsx'
import type { Sewer } from './SewerOverlay.tsx'

/** One quantity of all chosen places that have it. */
export interface CurveGroup {
  of: Quantity
  title: string
  filename: string
  data: SewerChartData
  pending: boolean
  /** What the curves come from, where they may fail by themselves. */
  query?: UseQueryResult<unknown>
}

type CellQuantity = 'depth' | 'level' | 'speed'
type Quantity = CellQuantity | 'section' | 'node' | 'link' | 'filling'

/** How a quantity of a cell is read and written. */
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

/** What happened over time at everything that was chosen, a group a quantity. */
export function useCurves(job: SimulationJob, picks: readonly Kept[], sewer: Sewer): CurveGroup[] {
  return [
    ...useCellCurves(job, picks),
    ...useSectionCurves(job, picks),
    ...useSewerCurves(job, namesOf(picks, 'node'), 'node'),
    ...useSewerCurves(job, flowsOf(picks, sewer), 'link'),
    ...useFillingCurves(job, namesOf(picks, 'link')),
  ]
}

/** Depths, levels and speeds of the chosen cells at the moments of the frames. */
function useCellCurves(job: SimulationJob, picks: readonly Kept[]): CurveGroup[] {
  const cells = picks.flatMap((pick) => (pick.kind === 'cell' ? [pick] : []))
  const found = useQueries({ queries: cells.map(({ row, col }) => cellQuery(job.id, row, col)) })
  const key = cells.map(pickKey).join(' ')
  const there = found.map(({ data }) => (data ? 1 : 0)).join('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells are those of the key
  return useMemo(
    () =>
      (Object.keys(CELL_CURVES) as CellQuantity[]).flatMap((of) => {
        const { title, filename, unit, decimals, values: read } = CELL_CURVES[of]
        const curves = cells.flatMap((cell, color): SewerCurve[] => {
          const series = found[color].data
          const values = series && read(series)
          return values ? [{ name: nameOf(cell), values, color }] : []
        })
        if (curves.length === 0) return []
        const timesS = found.find(({ data }) => data)?.data?.timesS ?? []
        const data = { timesS, curves, unit, decimals, instants: true }
        return [{ of, title, filename, data, pending: there.includes('0') }]
      }),
    [key, there],
  )
}

/** Flow through the drawn lines. */
function useSectionCurves(job: SimulationJob, picks: readonly Kept[]): CurveGroup[] {
  const lines = picks.flatMap((pick) => (pick.kind === 'section' ? [pick] : []))
  const found = useQueries({ queries: lines.map((line) => sectionQuery(job.id, line)) })
  const key = lines.map(pickKey).join(' ')
  const there = found.map(({ data }) => (data ? 1 : 0)).join('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines are those of the key
  return useMemo(() => {
    const curves = lines.flatMap((line, color): SewerCurve[] => {
      const values = found[color].data?.flowM3S
      return values ? [{ name: nameOf(line), values, color }] : []
    })
    if (curves.length === 0) return []
    const timesS = found.find(({ data }) => data)?.data?.timesS ?? []
    const data = { timesS, curves, unit: 'm³/s', decimals: 3, instants: true }
    const pending = there.includes('0')
    return [{ of: 'section', title: texts.sectionCurves, filename: 'debits_lignes.csv', data, pending }]
  }, [key, there])
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

/** Mean depths of nodes, or mean flows of links, interval by interval. */
function useSewerCurves(job: SimulationJob, names: readonly string[], kind: 'node' | 'link'): CurveGroup[] {
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
  const { title, unit } = kind === 'node' ? sewerTexts.depths : sewerTexts.flows
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are those of the key
  const data = useMemo(() => {
    const rows = answer ? ('junctions' in answer ? answer.junctions : answer.links) : []
    const found = new Map(rows.map(({ Name, data: values }) => [Name, values]))
    const curves = names.flatMap((name, color): SewerCurve[] => {
      const values = found.get(name) ?? []
      return values.length === 0 ? [] : [{ name, values, color }]
    })
    return { timesS: answer?.timesS ?? [], curves, unit, decimals: 3 }
  }, [answer, key, unit])
  if (names.length === 0) return []
  const filename = kind === 'node' ? 'hauteurs_junctions.csv' : 'debits_conduites.csv'
  return [{ of: kind, title, filename, data, pending: query.isPending, query }]
}

/** How full the chosen links are at the end of each interval. */
function useFillingCurves(job: SimulationJob, names: readonly string[]): CurveGroup[] {
  const query = useQuery({ ...sewerMomentsQuery(job.id), enabled: names.length > 0 })
  const moments = query.data
  const key = names.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are those of the key
  const data = useMemo(() => {
    const { timesS = [], links = [], nodes = [], codes = new Uint8Array(0) } = moments ?? {}
    const curves = names.flatMap((name, color): SewerCurve[] => {
      const at = links.indexOf(name)
      const values = timesS.map((_, m) => codes[m * (links.length + nodes.length) + at])
      return at < 0 || values.includes(SEWER_DRY) ? [] : [{ name, values, color }]
    })
    return { timesS, curves, unit: '%', decimals: 0, instants: true }
  }, [moments, key])
  if (data.curves.length === 0) return []
  const filename = 'remplissage_conduites.csv'
  return [{ of: 'filling', title: texts.fillingCurves, filename, data, pending: query.isPending }]
}

/**
 * Every curve in one table, its head first: a row a moment, a column a place and quantity. Groups stand at moments of
 * their own; where a curve has no value the field is empty.
 */
export function curvesTable(groups: readonly CurveGroup[]): [string[], ...(string | number)[][]] {
  const columns = groups.flatMap(({ of, data: { timesS, curves, unit } }) =>
    curves.map(({ name, values }) => ({
      head: texts.curveColumns[of](name, unit),
      at: new Map(timesS.map((timeS, k) => [timeS, values[k]])),
    })),
  )
  const times = new Set(groups.flatMap(({ data: { timesS } }) => [...timesS]))
  const rows = [...times]
    .sort((a, b) => a - b)
    .map((timeS) => [timeS, ...columns.map(({ at }) => at.get(timeS) ?? '')])
  return [[sewerTexts.csvColumns.time, ...columns.map(({ head }) => head)], ...rows]
}
